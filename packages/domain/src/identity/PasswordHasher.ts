import { Context, type Effect, type Option, type Redacted, Schema } from "effect"

/** A password as it is stored: algorithm, parameters, salt and hash in one text (PHC string format). */
export const PasswordHash = Schema.String.pipe(Schema.brand("PasswordHash"))
export type PasswordHash = typeof PasswordHash.Type

/** Hashes passwords and client secrets. Adapters bound how many run at once, so that sign-ins cannot exhaust memory. */
export class PasswordHasher extends Context.Service<PasswordHasher, {
  /** A hash with a fresh salt. */
  readonly hash: (secret: Redacted.Redacted) => Effect.Effect<PasswordHash>
  /** Whether the secret is the one that was hashed. Without a hash it is not, after the same amount of work. */
  readonly verify: (secret: Redacted.Redacted, hash: Option.Option<PasswordHash>) => Effect.Effect<boolean>
}>()("@lastro/domain/identity/PasswordHasher") {}
