import { Effect, Option, Redacted, Result } from "effect"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { type Unauthenticated } from "./AccessClaims.ts"
import { RefreshTokenRepository } from "./RefreshToken.ts"
import { endSession } from "./Session.ts"
import { TokenRefused } from "./TokenRequest.ts"
import { TokenSigner } from "./TokenSigner.ts"

/**
 * An access token cannot be revoked, whether it has expired or not. Any other text that is not a refresh token counts
 * as an unknown token, which is not an error (RFC 7009 §2.2).
 * @rule AUTH-21
 */
export const judgeUnknownToken = (
  verified: Result.Result<unknown, Unauthenticated>
): Result.Result<void, TokenRefused> =>
  Result.isSuccess(verified) || verified.failure.reason === "expired"
    ? Result.fail(
      new TokenRefused({
        error: "unsupported_token_type",
        description: "Access tokens cannot be revoked. Send the refresh token."
      })
    )
    : Result.void

/**
 * Revokes all refresh tokens of the session that a refresh token belongs to (RFC 7009). An unknown token is not an
 * error, but an access token is.
 */
export const revokeToken = Effect.fnUntraced(function*(presented: Redacted.Redacted) {
  const tokens = yield* RefreshTokenRepository
  const revoke = Effect.gen(function*() {
    const record = yield* tokens.findForUpdate(presented)
    if (Option.isSome(record)) yield* endSession(record.value, "session.revoke", yield* currentTimestamp)
    return Option.isSome(record)
  })
  if (yield* (yield* UnitOfWork).atomically(revoke)) return
  const verified = yield* Effect.result((yield* TokenSigner).verify(Redacted.value(presented)))
  yield* Effect.fromResult(judgeUnknownToken(verified))
})
