import { AccessClaims, clockSkewSeconds, Unauthenticated } from "@lastro/domain"
import { Result, Schema } from "effect"

/** Who issues the tokens, and for whom. */
export interface TokenIssuer {
  /** The issuer's URL, without a trailing slash (`iss`). */
  readonly issuer: string
  /** The API the tokens are for (`aud`). */
  readonly audience: string
}

/** What a token says, with its lifetime in seconds since 1970. */
export const TokenPayload = Schema.Struct({
  ...AccessClaims.fields,
  iss: Schema.String,
  aud: Schema.String,
  iat: Schema.Finite,
  exp: Schema.Finite,
  jti: Schema.String
})
export type TokenPayload = typeof TokenPayload.Type

const decodePayload = Schema.decodeUnknownResult(Schema.fromJsonString(TokenPayload))

const refused = (reason: "claims" | "expired") => Result.fail(new Unauthenticated({ reason }))

/** Reads the payload of a token whose signature holds; every claim is required, and issuer and audience have to be ours. */
export const readPayload = (
  text: string,
  { audience, issuer }: TokenIssuer
): Result.Result<TokenPayload, Unauthenticated> => {
  const payload = decodePayload(text)
  return Result.isFailure(payload) || payload.success.iss !== issuer || payload.success.aud !== audience
    ? refused("claims")
    : Result.succeed(payload.success)
}

/** A token counts from its issue until its expiry, both with the tolerance by which clocks may differ. */
export const judgeLifetime = (
  { exp, iat }: Pick<TokenPayload, "exp" | "iat">,
  nowMs: number
): Result.Result<void, Unauthenticated> => {
  const skewMs = clockSkewSeconds * 1000
  if (iat * 1000 > nowMs + skewMs) return refused("claims")
  return nowMs >= exp * 1000 + skewMs ? refused("expired") : Result.void
}
