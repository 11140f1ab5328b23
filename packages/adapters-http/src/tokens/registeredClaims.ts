import { AccessClaims, clockSkewSeconds, Unauthenticated } from "@lastro/domain/identity"
import { Result, Schema } from "effect"

/** The issuer and audience of access tokens. */
export interface TokenIssuer {
  /** The issuer's URL, without a trailing slash (`iss`). */
  readonly issuer: string
  /** The audience (`aud`). */
  readonly audience: string
}

/** The payload of an access token. `iat`, `nbf` and `exp` are in seconds since 1970. */
export const TokenPayload = Schema.Struct({
  ...AccessClaims.fields,
  iss: Schema.String,
  aud: Schema.String,
  iat: Schema.Finite,
  nbf: Schema.optionalKey(Schema.Finite),
  exp: Schema.Finite,
  jti: Schema.String
})
export type TokenPayload = typeof TokenPayload.Type

const decodePayload = Schema.decodeUnknownResult(Schema.fromJsonString(TokenPayload))

const refuse = (reason: "claims" | "expired") => Result.fail(new Unauthenticated({ reason }))

/**
 * Reads the payload of a verified token. Every claim except `nbf` is required. The issuer and the audience must match.
 */
export const readPayload = (
  text: string,
  { audience, issuer }: TokenIssuer
): Result.Result<TokenPayload, Unauthenticated> => {
  const payload = decodePayload(text)
  return Result.isFailure(payload) || payload.success.iss !== issuer || payload.success.aud !== audience
    ? refuse("claims")
    : Result.succeed(payload.success)
}

/** The claims that limit the lifetime of a token. */
export type Lifetime = Pick<TokenPayload, "exp" | "iat" | "nbf">

/**
 * Checks that the time `nowMs` is between `iat` and `exp` of a token, and not before `nbf` (RFC 7519 §4.1.5). Allows a
 * tolerance for clock skew.
 */
export const checkLifetime = (
  { exp, iat, nbf = iat }: Lifetime,
  nowMs: number
): Result.Result<void, Unauthenticated> => {
  const skewMs = clockSkewSeconds * 1000
  if (Math.max(iat, nbf) * 1000 > nowMs + skewMs) return refuse("claims")
  return nowMs >= exp * 1000 + skewMs ? refuse("expired") : Result.void
}
