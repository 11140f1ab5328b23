import { Context, type Effect } from "effect"

/**
 * Hashes personal data for the audit with a secret key. Equal texts have equal hashes, and without the key a text cannot be
 * found by brute force.
 */
export class PersonalDataHasher extends Context.Service<PersonalDataHasher, {
  /** Returns a keyed hash as text. The key never changes during the life of an installation. */
  readonly hash: (text: string) => Effect.Effect<string>
}>()("@lastro/domain/audit/PersonalDataHasher") {}
