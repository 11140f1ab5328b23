import { Context, type Effect, type Option, type Redacted, Schema } from "effect"
import { type Busy } from "../ports/UnitOfWork.ts"

/** The stored form of a password: algorithm, parameters, salt and hash in the PHC string format. */
export const PasswordHash = Schema.String.pipe(Schema.brand("PasswordHash"))
export type PasswordHash = typeof PasswordHash.Type

/**
 * Hashes passwords and client secrets. The hash of a password is slow to compute, so that guessing a password from a
 * stolen hash is costly. Adapters limit how many slow hashes are computed concurrently and how many wait, by the rules
 * AUTH-15 and AUTH-16. If these rules refuse a slow hash, the method fails with Busy.
 */
export class PasswordHasher extends Context.Service<PasswordHasher, {
  /** Returns a slow hash with a new salt. */
  readonly hash: (secret: Redacted.Redacted) => Effect.Effect<PasswordHash, Busy>
  /**
   * Returns a fast hash, without waiting in the queue. Only for secrets of the SecretGenerator, which have too many
   * bits to be guessed.
   */
  readonly hashGenerated: (secret: Redacted.Redacted) => Effect.Effect<PasswordHash>
  /**
   * Returns whether the secret matches the hash. If it matches a fast hash, returns true without waiting in the queue.
   * If it does not match, always returns false after one slow computation, even if the hash is fast or absent.
   */
  readonly verify: (secret: Redacted.Redacted, hash: Option.Option<PasswordHash>) => Effect.Effect<boolean, Busy>
}>()("@lastro/domain/identity/PasswordHasher") {}
