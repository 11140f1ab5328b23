import { Context, type Effect, type Option, type Redacted, Schema } from "effect"

/** The stored form of a password: algorithm, parameters, salt and hash in the PHC string format. */
export const PasswordHash = Schema.String.pipe(Schema.brand("PasswordHash"))
export type PasswordHash = typeof PasswordHash.Type

/**
 * Hashes passwords and client secrets. Adapters limit how many hashes are computed concurrently, so that sign-ins cannot exhaust memory.
 */
export class PasswordHasher extends Context.Service<PasswordHasher, {
  /** Returns a hash with a new salt. */
  readonly hash: (secret: Redacted.Redacted) => Effect.Effect<PasswordHash>
  /** Returns whether the secret matches the hash. If there is no hash, returns false after the same amount of computation. */
  readonly verify: (secret: Redacted.Redacted, hash: Option.Option<PasswordHash>) => Effect.Effect<boolean>
}>()("@lastro/domain/identity/PasswordHasher") {}
