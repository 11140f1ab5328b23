import { Context, type Effect, type Option, type Redacted } from "effect"
import { type UserId } from "../id/UserId.ts"
import { millisOf, type Timestamp } from "../time/Timestamp.ts"

/** Days a refresh token lives, counted from its own issue. */
export const refreshTokenDays = 30

/** A refresh token as it is kept: everything but the token itself, of which only a hash is stored. */
export interface RefreshToken {
  /** Shared by all tokens that descend from one sign-in. */
  readonly family_id: string
  readonly user_id: UserId
  /** The scope granted at sign-in, as text. */
  readonly scope: string
  readonly issued_at: Timestamp
  /** The password it was issued for, see Principal. */
  readonly credentials_version: number
  /** When it was exchanged for its successor. */
  readonly spent_at: Timestamp | null
  /** When its family was ended. */
  readonly revoked_at: Timestamp | null
}

/** What a presented refresh token is worth. `reused` ends the whole family. */
export type RefreshVerdict = "valid" | "invalid" | "reused"

/**
 * A refresh token is good once, within 30 days of its issue; one that is spent already was stolen or replayed, so its
 * whole family ends.
 * @rule AUTH-08
 */
export const judgeRefresh = (token: RefreshToken, now: Timestamp): RefreshVerdict =>
  token.revoked_at !== null
    ? "invalid"
    : token.spent_at !== null
    ? "reused"
    : millisOf(now) < millisOf(token.issued_at) + refreshTokenDays * 86_400_000
    ? "valid"
    : "invalid"

/** Where refresh tokens are kept, by a hash of them. Writes take part in the transaction around them. */
export class RefreshTokenRepository extends Context.Service<RefreshTokenRepository, {
  readonly insert: (token: Redacted.Redacted, record: RefreshToken) => Effect.Effect<void>
  /** The record of a token; until the transaction ends nobody else finds the same one. */
  readonly findForUpdate: (token: Redacted.Redacted) => Effect.Effect<Option.Option<RefreshToken>>
  readonly spend: (token: Redacted.Redacted, at: Timestamp) => Effect.Effect<void>
  /** Ends every token of a family that has not ended yet. */
  readonly revokeFamily: (family_id: string, at: Timestamp) => Effect.Effect<void>
  /** Ends every token of a user that has not ended yet. */
  readonly revokeUser: (user: UserId, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/token/RefreshToken/RefreshTokenRepository") {}
