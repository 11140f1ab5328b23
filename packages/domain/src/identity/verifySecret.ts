import { Context, Effect, type Option, type Redacted } from "effect"
import { millisOf, now, timestampOf } from "../time/Timestamp.ts"
import { judgeAttempts, LoginAttempts, loginWindowMs, TooManyAttempts } from "./LoginAttempts.ts"
import { PasswordHasher, type PasswordHash } from "./PasswordHasher.ts"

/** The address the present request came from; empty outside a request. */
export const ClientAddress = Context.Reference<string>("@lastro/domain/identity/verifySecret/ClientAddress", {
  defaultValue: () => ""
})

/** Under which name failed sign-ins of a user are counted: its e-mail, whatever its letter case or composition. */
export const userAttempts = (email: string): string => `user:${email.normalize("NFC").toLowerCase().normalize("NFC")}`

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
  const at = yield* now
  const failures = yield* attempts.failures(username, ip, timestampOf(millisOf(at) - loginWindowMs))
  const verdict = judgeAttempts(failures, ip, at)
  if (verdict._tag === "Locked") {
    return yield* new TooManyAttempts({ retry_after_seconds: verdict.retry_after_seconds })
  }
  if (verdict.delay_ms > 0) yield* Effect.sleep(verdict.delay_ms)
  const right = yield* (yield* PasswordHasher).verify(secret, hash)
  yield* right ? attempts.clear(username, ip) : attempts.record({ username, ip, at })
  return right
})
