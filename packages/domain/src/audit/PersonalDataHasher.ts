import { Context, type Effect } from "effect"

/**
 * Tells personal data apart in the audit without keeping it: the same text has the same hash, and without the secret key
 * nobody can find the text by trying.
 */
export class PersonalDataHasher extends Context.Service<PersonalDataHasher, {
  /** A keyed hash as text; the key stays the same for the life of the installation. */
  readonly hash: (text: string) => Effect.Effect<string>
}>()("@lastro/domain/audit/PersonalDataHasher") {}
