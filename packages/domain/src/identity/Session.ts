import { Effect, Option, Redacted } from "effect"
import { formatScope, type Permission } from "../access/Permission.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { recordAudit } from "../audit/recordAudit.ts"
import { IdGenerator, SecretGenerator } from "../ports/generators.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type UserId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { type Principal, PrincipalRepository } from "./Principal.ts"
import { judgeRefresh, judgeRepeat, type RefreshToken, RefreshTokenRepository } from "./RefreshToken.ts"

const insertToken = Effect.fnUntraced(function*(
  token: Redacted.Redacted,
  principal: Principal,
  session: Pick<RefreshToken, "family_id" | "scope">,
  at: Timestamp
) {
  yield* (yield* RefreshTokenRepository).insert(token, {
    ...session,
    user_id: principal.subject as UserId,
    issued_at: at,
    credentials_version: principal.credentials_version,
    spent_at: null,
    spent_by: null,
    revoked_at: null
  })
})

/**
 * Derives the successor of a refresh token with a keyed hash. So a repeated exchange gets the same successor, although
 * only hashes are stored. Without the token itself, neither the stored hashes nor the key reveal its successor.
 */
const successorOf = Effect.fnUntraced(function*(token: Redacted.Redacted) {
  const { hash } = yield* PersonalDataHasher
  return Redacted.make(yield* hash(`refresh token after ${Redacted.value(token)}`))
})

type SessionEvent = "session.start" | "session.revoke" | "session.reuse"

/** Stores an audit entry about a session. */
export const auditSession = Effect.fnUntraced(function*(
  action: SessionEvent,
  principal: Principal,
  family_id: string,
  at: Timestamp
) {
  yield* recordAudit({ at, caller: principal, action, subject_id: family_id, partner_id: principal.partner_id })
})

/**
 * Starts a session of a user whose password was verified. Returns its id, its first refresh token and the result of
 * `grant`. The user is read again under a lock, because it can have changed since the verification. Returns none if the
 * password was changed, or the user was deactivated or deleted.
 */
export const startSession = Effect.fnUntraced(function*<A extends { readonly scope: ReadonlySet<Permission> }, E, R>(
  verified: Principal,
  grant: (principal: Principal) => Effect.Effect<A, E, R>
) {
  const start = Effect.gen(function*() {
    yield* (yield* RefreshTokenRepository).lockUser(verified.subject as UserId)
    const stored = yield* (yield* PrincipalRepository).find("user", verified.subject)
    if (Option.isNone(stored) || stored.value.credentials_version !== verified.credentials_version) {
      return Option.none()
    }
    const granted = yield* grant(stored.value)
    const family_id = yield* (yield* IdGenerator).next
    const at = yield* currentTimestamp
    const token = yield* (yield* SecretGenerator).next
    yield* insertToken(token, stored.value, { family_id, scope: formatScope(granted.scope) }, at)
    yield* auditSession("session.start", stored.value, family_id, at)
    return Option.some({ granted, token, session: family_id })
  })
  return yield* (yield* UnitOfWork).atomically(start)
})

/** Ends a session. Stores no audit entry if the session had already ended or the user was deleted. */
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

/** Checks a stored refresh token. For a repeated exchange, also checks the successor of the token. */
const judgeExchange = Effect.fnUntraced(function*(
  record: RefreshToken,
  successor: Redacted.Redacted,
  at: Timestamp,
  client: string | null
) {
  const verdict = judgeRefresh(record, at, client)
  return verdict === "repeated"
    ? judgeRepeat(yield* (yield* RefreshTokenRepository).findForUpdate(successor))
    : verdict
})

/**
 * Exchanges a refresh token for its successor and the result of `grant`. Returns none if the token is not valid. If the
 * same client soon repeats the exchange, it gets the same successor. Any other second exchange revokes all refresh
 * tokens of the session. `client` is the API client that authenticated itself, or null.
 */
export const exchangeRefreshToken = Effect.fnUntraced(function*<A, E, R>(
  presented: Redacted.Redacted,
  client: string | null,
  grant: SessionGrant<A, E, R>
) {
  const tokens = yield* RefreshTokenRepository
  const exchange = Effect.gen(function*() {
    const record = yield* tokens.findForUpdate(presented)
    if (Option.isNone(record)) return Option.none()
    const { credentials_version, family_id, scope, user_id } = record.value
    const at = yield* currentTimestamp
    const successor = yield* successorOf(presented)
    const verdict = yield* judgeExchange(record.value, successor, at, client)
    if (verdict === "reused") yield* endSession(record.value, "session.reuse", at)
    if (verdict !== "valid" && verdict !== "repeated") return Option.none()
    const principal = yield* (yield* PrincipalRepository).find("user", user_id)
    if (Option.isNone(principal) || principal.value.credentials_version !== credentials_version) return Option.none()
    const granted = yield* grant(principal.value, scope)
    if (verdict === "valid") {
      yield* tokens.spend(presented, at, client)
      yield* insertToken(successor, principal.value, { family_id, scope }, at)
    }
    return Option.some({ granted, token: successor, session: family_id })
  })
  return yield* (yield* UnitOfWork).atomically(exchange)
})
