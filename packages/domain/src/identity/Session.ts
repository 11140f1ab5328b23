import { Effect, Option, type Redacted } from "effect"
import { IdGenerator } from "../id/IdGenerator.ts"
import { SecretGenerator } from "../id/SecretGenerator.ts"
import { now, type Timestamp } from "../time/Timestamp.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"
import { type UserId } from "../user/UserId.ts"
import { type Principal, PrincipalRepository } from "./Principal.ts"
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

/** Starts a session: the first refresh token of a new family. */
export const startSession = Effect.fnUntraced(function*(principal: Principal, scope: string) {
  return yield* issue(principal, { family_id: yield* (yield* IdGenerator).next, scope }, yield* now)
})

/** What makes of a live session the thing it continues for, or refuses; a refused session is not spent. */
export type SessionGrant<A, E, R> = (principal: Principal, scope: string) => Effect.Effect<A, E, R>

/**
 * Exchanges a refresh token for its successor, once, together with what `grant` makes of the session; none when the
 * token is worth nothing. One that was spent before ends its whole family, which stays ended although this exchange
 * gives nothing.
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
    const at = yield* now
    const verdict = judgeRefresh(record.value, at)
    if (verdict === "reused") yield* tokens.revokeFamily(family_id, at)
    if (verdict !== "valid") return Option.none()
    const principal = yield* (yield* PrincipalRepository).find("user", user_id)
    if (Option.isNone(principal) || principal.value.credentials_version !== credentials_version) return Option.none()
    const granted = yield* grant(principal.value, scope)
    yield* tokens.spend(presented, at)
    return Option.some({ granted, token: yield* issue(principal.value, { family_id, scope }, at) })
  })
  return yield* (yield* UnitOfWork).atomically(exchange)
})
