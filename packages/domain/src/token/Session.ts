import { Effect, Option, type Redacted } from "effect"
import { recordAudit } from "../audit/recordAudit.ts"
import { IdGenerator } from "../id/IdGenerator.ts"
import { type UserId } from "../id/ids.ts"
import { SecretGenerator } from "../id/SecretGenerator.ts"
import { type Principal, PrincipalRepository } from "../identity/Principal.ts"
import { currentTimestamp, type Timestamp } from "../time/Timestamp.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"
import { judgeRefresh, type RefreshToken, RefreshTokenRepository } from "./RefreshToken.ts"

const issue = Effect.fnUntraced(function*(
  principal: Principal,
  session: Pick<RefreshToken, "family_id" | "scope">,
  at: Timestamp
) {
  const token = yield* (yield* SecretGenerator).next
  yield* (yield* RefreshTokenRepository).insert(token, {
    ...session,
    user_id: principal.subject as UserId,
    issued_at: at,
    credentials_version: principal.credentials_version,
    spent_at: null,
    revoked_at: null
  })
  return token
})

/** An audited event of a session. */
type SessionEvent = "session.start" | "session.revoke" | "session.reuse"

/** Records an event of a session in the audit. */
const auditSession = Effect.fnUntraced(function*(
  action: SessionEvent,
  principal: Principal,
  family_id: string,
  at: Timestamp
) {
  yield* recordAudit({ at, caller: principal, action, subject_id: family_id, partner_id: principal.partner_id })
})

/** Starts a session and returns its refresh token, the first of a new family. */
export const startSession = Effect.fnUntraced(function*(principal: Principal, scope: string) {
  const start = Effect.gen(function*() {
    const family_id = yield* (yield* IdGenerator).next
    const at = yield* currentTimestamp
    const token = yield* issue(principal, { family_id, scope }, at)
    yield* auditSession("session.start", principal, family_id, at)
    return token
  })
  return yield* (yield* UnitOfWork).atomically(start)
})

/** Ends a session. No audit entry is written if the session had already ended or the user was deleted. */
export const endSession = Effect.fnUntraced(function*(
  { family_id, revoked_at, user_id }: RefreshToken,
  action: Exclude<SessionEvent, "session.start">,
  at: Timestamp
) {
  yield* (yield* RefreshTokenRepository).revokeFamily(family_id, at)
  if (revoked_at !== null) return
  const principal = yield* (yield* PrincipalRepository).find("user", user_id)
  if (Option.isSome(principal)) yield* auditSession(action, principal.value, family_id, at)
})

/** Computes the result of an exchange in a live session. If it fails, the refresh token is not spent. */
export type SessionGrant<A, E, R> = (principal: Principal, scope: string) => Effect.Effect<A, E, R>

/**
 * Exchanges a refresh token for its successor and the result of `grant`. Returns none if the token is not valid. If the token was already
 * spent, its whole family is revoked.
 */
export const exchangeRefreshToken = Effect.fnUntraced(function*<A, E, R>(
  presented: Redacted.Redacted,
  grant: SessionGrant<A, E, R>
) {
  const tokens = yield* RefreshTokenRepository
  const exchange = Effect.gen(function*() {
    const record = yield* tokens.findForUpdate(presented)
    if (Option.isNone(record)) return Option.none()
    const { credentials_version, family_id, scope, user_id } = record.value
    const at = yield* currentTimestamp
    const verdict = judgeRefresh(record.value, at)
    if (verdict === "reused") yield* endSession(record.value, "session.reuse", at)
    if (verdict !== "valid") return Option.none()
    const principal = yield* (yield* PrincipalRepository).find("user", user_id)
    if (Option.isNone(principal) || principal.value.credentials_version !== credentials_version) return Option.none()
    const granted = yield* grant(principal.value, scope)
    yield* tokens.spend(presented, at)
    return Option.some({ granted, token: yield* issue(principal.value, { family_id, scope }, at) })
  })
  return yield* (yield* UnitOfWork).atomically(exchange)
})
