import { Effect, Result } from "effect"
import { NotFound } from "../hierarchy/Scope.ts"
import { type SigningKey, SigningKeyRepository } from "../identity/SigningKey.ts"
import { Refusal } from "../input/Refusal.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
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

/**
 * A signing key that others may have is revoked: it is deleted, so that its tokens are no longer accepted. If no other
 * live key remains, a new key must replace it.
 * @rule KEY-04
 */
export const judgeRevocation = (
  keys: ReadonlyArray<SigningKey>,
  kid: string
): Result.Result<{ readonly needsReplacement: boolean }, NotFound> =>
  keys.some((key) => key.kid === kid)
    ? Result.succeed({ needsReplacement: !keys.some((key) => key.kid !== kid && key.retired_at === null) })
    : Result.fail(new NotFound())

/**
 * Revokes a key. `generate` creates a replacement for the last live key. All nodes refuse tokens of the revoked key
 * within 10 s. Returns the replacement, or undefined if another live key signs.
 */
export const revokeSigningKey = Effect.fn("revokeSigningKey")(function*(
  kid: string,
  generate: Effect.Effect<SigningKey>
) {
  const keys = yield* SigningKeyRepository
  const revoke = Effect.gen(function*() {
    yield* keys.lock
    const { needsReplacement } = yield* Effect.fromResult(judgeRevocation(yield* keys.all, kid))
    const replacement = needsReplacement ? yield* generate : undefined
    if (replacement !== undefined) yield* keys.insert(replacement, { onlyIfEmpty: false })
    yield* keys.remove(kid)
    return replacement
  })
  return yield* (yield* UnitOfWork).atomically(revoke)
})

/** Stops a key from signing. Tokens that it signed stay valid until they expire. */
export const retireSigningKey = Effect.fn("retireSigningKey")(function*(kid: string) {
  const keys = yield* SigningKeyRepository
  const retire = Effect.gen(function*() {
    yield* keys.lock
    yield* Effect.fromResult(judgeRetirement(yield* keys.all, kid))
    yield* keys.retire(kid, yield* currentTimestamp)
  })
  yield* (yield* UnitOfWork).atomically(retire)
})
