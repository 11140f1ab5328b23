import { Context, type Effect, Option, type Redacted } from "effect"
import { type UserId } from "../values/ids.ts"
import { millisOf, type Timestamp } from "../values/Timestamp.ts"

/** Lifetime of a refresh token, in days from its issue. */
export const refreshTokenDays = 30

/** The stored record of a refresh token. The token itself is stored as a hash only. */
export interface RefreshToken {
  /** The id of the session (a family). All refresh tokens of the session share it. */
  readonly family_id: string
  readonly user_id: UserId
  /** The scope granted at sign-in, as text. */
  readonly scope: string
  readonly issued_at: Timestamp
  /** The `credentials_version` of the user when the token was issued. */
  readonly credentials_version: number
  /** The time at which the token was exchanged for its successor. */
  readonly spent_at: Timestamp | null
  /** The API client that authenticated itself in this exchange. Null without one, and while the token is not spent. */
  readonly spent_by: string | null
  /** The time at which the session of the token was revoked. Null for a live session. */
  readonly revoked_at: Timestamp | null
}

/**
 * The result of checking a refresh token. `repeated`: the client gets the same successor again. `reused`: all refresh
 * tokens of the session are revoked.
 */
export type RefreshVerdict = "valid" | "invalid" | "repeated" | "reused"

/** Time within which a client can repeat the exchange of a refresh token, in seconds. */
const refreshLeewaySeconds = 10

/**
 * The same client can repeat the exchange of a refresh token within 10 s, because the first response can be lost. It
 * gets the same successor (RFC 9700 §4.14.2). Clients that do not authenticate themselves count as the same client. If
 * the successor was already used, the exchange counts as a reuse (AUTH-27).
 * @rule AUTH-20
 */
export const isRepeated = ({ spent_at, spent_by }: RefreshToken, now: Timestamp, client: string | null): boolean =>
  spent_at !== null && spent_by === client && millisOf(now) <= millisOf(spent_at) + refreshLeewaySeconds * 1000

/**
 * The exchange of a refresh token can be repeated only while its successor is unused. A used successor shows that the
 * client received it, so another exchange of the old token is a reuse. It is also a reuse if the successor is not
 * stored, because an older version of Lastro made the first exchange.
 * @rule AUTH-27
 */
export const judgeRepeat = (successor: Option.Option<RefreshToken>): "repeated" | "reused" =>
  Option.isSome(successor) && successor.value.spent_at === null ? "repeated" : "reused"

/**
 * A refresh token can be used once, within 30 days of its issue. A second use revokes all refresh tokens of its
 * session, unless the same client repeats the exchange within 10 s (AUTH-20).
 * @rule AUTH-08
 */
export const judgeRefresh = (token: RefreshToken, now: Timestamp, client: string | null): RefreshVerdict => {
  if (token.revoked_at !== null) return "invalid"
  if (token.spent_at !== null) return isRepeated(token, now, client) ? "repeated" : "reused"
  const expires_ms = millisOf(token.issued_at) + refreshTokenDays * 86_400_000
  return millisOf(now) < expires_ms ? "valid" : "invalid"
}

/** Stores refresh tokens by their hash. Writes join the surrounding transaction. */
export class RefreshTokenRepository extends Context.Service<RefreshTokenRepository, {
  readonly insert: (token: Redacted.Redacted, record: RefreshToken) => Effect.Effect<void>
  /** Finds the record of a token, and locks it until the transaction ends. */
  readonly findForUpdate: (token: Redacted.Redacted) => Effect.Effect<Option.Option<RefreshToken>>
  /** Marks a token as spent at this time by this client. */
  readonly spend: (token: Redacted.Redacted, at: Timestamp, client: string | null) => Effect.Effect<void>
  /** Revokes every live refresh token of a session (family). */
  readonly revokeFamily: (family_id: string, at: Timestamp) => Effect.Effect<void>
  /**
   * Locks the sessions of a user until the transaction ends. Meanwhile, other transactions wait in `lockUser` and in
   * `revokeUser`, which takes the same lock.
   */
  readonly lockUser: (user: UserId) => Effect.Effect<void>
  /** Revokes every live refresh token of a user. */
  readonly revokeUser: (user: UserId, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/identity/RefreshToken/RefreshTokenRepository") {}
