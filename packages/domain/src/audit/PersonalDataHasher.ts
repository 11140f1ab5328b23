import { Context, type Effect } from "effect"

/**
 * Hashes personal data for the audit with a secret key. Equal texts have equal hashes. Without the key, nobody can
 * recover a text from its hash by brute force.
 */
export class PersonalDataHasher extends Context.Service<PersonalDataHasher, {
  /** Returns a keyed hash as text. The key stays the same for the lifetime of an installation. */
  readonly hash: (text: string) => Effect.Effect<string>
}>()("@lastro/domain/audit/PersonalDataHasher") {}
