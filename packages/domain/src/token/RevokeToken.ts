import { Effect, Option, type Redacted } from "effect"
import { currentTimestamp } from "../time/Timestamp.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"
import { RefreshTokenRepository } from "./RefreshToken.ts"
import { endSession } from "./Session.ts"

/** Revokes a refresh token and its whole family (RFC 7009). An unknown token is not an error. */
export const revokeToken = Effect.fn("revokeToken")(function*(presented: Redacted.Redacted) {
  const tokens = yield* RefreshTokenRepository
  const revoke = Effect.gen(function*() {
    const record = yield* tokens.findForUpdate(presented)
    if (Option.isSome(record)) yield* endSession(record.value, "session.revoke", yield* currentTimestamp)
  })
  yield* (yield* UnitOfWork).atomically(revoke)
})
