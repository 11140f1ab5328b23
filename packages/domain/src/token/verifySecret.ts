import { Context, Effect, type Option, type Redacted } from "effect"
import { emailKey } from "../documents/Email.ts"
import { type PasswordHash, PasswordHasher } from "../identity/PasswordHasher.ts"
import { millisOf, now, timestampOf } from "../time/Timestamp.ts"
import { judgeAttempts, LoginAttempts, loginWindowMs, TooManyAttempts } from "./LoginAttempts.ts"

/** The address the present request came from; empty outside a request. */
export const ClientAddress = Context.Reference<string>("@lastro/domain/token/verifySecret/ClientAddress", {
  defaultValue: () => ""
})

/** Under which name failed sign-ins of a user are counted: its e-mail, whatever its letter case or composition. */
export const userAttempts = (email: string): string => `user:${emailKey(email)}`

/** Under which name failed sign-ins of an API client are counted. */
export const clientAttempts = (client_id: string): string => `client:${client_id}`

/**
 * Verifies a password or client secret under the limits on failed attempts: refused while the pair of username and
 * address is locked, delayed after many failures, remembered when it fails. An unknown username takes as long as a
 * known one.
 */
export const verifySecret = Effect.fnUntraced(function*(
  username: string,
  secret: Redacted.Redacted,
  hash: Option.Option<PasswordHash>
) {
  const attempts = yield* LoginAttempts
  const ip = yield* ClientAddress
  const delay_ms = yield* admit(username, ip)
  if (delay_ms > 0) yield* Effect.sleep(delay_ms)
  const right = yield* (yield* PasswordHasher).verify(secret, hash)
  // Once more: of many guesses that were let in at the same time, those past the limit learn nothing.
  yield* admit(username, ip)
  yield* right ? attempts.clear(username, ip) : attempts.record({ username, ip, at: yield* now })
  return right
})

/** The milliseconds that an attempt has to wait; TooManyAttempts while the pair is locked. */
const admit = Effect.fnUntraced(function*(username: string, ip: string) {
  const at = yield* now
  const failures = yield* (yield* LoginAttempts).failures(username, ip, timestampOf(millisOf(at) - loginWindowMs))
  const verdict = judgeAttempts(failures, ip, at)
  return verdict._tag === "Proceed"
    ? verdict.delay_ms
    : yield* new TooManyAttempts({ retry_after_seconds: verdict.retry_after_seconds })
})
