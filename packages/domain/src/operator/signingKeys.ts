import { Effect, Result } from "effect"
import { NotFound } from "../hierarchy/Scope.ts"
import { type SigningKey, SigningKeyRepository } from "../identity/SigningKey.ts"
import { Refusal } from "../input/Refusal.ts"
import { currentTimestamp } from "../values/Timestamp.ts"

/** The key cannot be retired, because it is the last live signing key. */
export class LastSigningKey
  extends Refusal("LastSigningKey", "This is the last live signing key. Create another one before you retire it.")
{}

/**
 * A signing key can be retired once, and only if another live key remains.
 * @rule KEY-03
 */
export const judgeRetirement = (
  keys: ReadonlyArray<SigningKey>,
  kid: string
): Result.Result<void, NotFound | LastSigningKey> => {
  const live = keys.filter(({ retired_at }) => retired_at === null)
  if (!live.some((key) => key.kid === kid)) return Result.fail(new NotFound())
  return live.length > 1 ? Result.void : Result.fail(new LastSigningKey())
}

/** Stops a key from signing. Tokens that it signed stay valid until they expire. */
export const retireSigningKey = Effect.fn("retireSigningKey")(function*(kid: string) {
  const keys = yield* SigningKeyRepository
  yield* Effect.fromResult(judgeRetirement(yield* keys.all, kid))
  yield* keys.retire(kid, yield* currentTimestamp)
})
