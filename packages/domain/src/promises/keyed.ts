import { Effect } from "effect"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { CurrentIdempotencyKey } from "../idempotency/once.ts"
import { readIdempotencyKey } from "../idempotency/readIdempotencyKey.ts"
import { canonicalJson } from "../validation/canonicalJson.ts"
import { at, problem, ValidationFailed } from "../validation/FieldProblem.ts"
import { isJson } from "../validation/isJson.ts"
import { type CreateOptions } from "./CallOptions.ts"

/** Does at most once per key what an operation was asked for. */
export const keyed =
  (operation: string, asked: ReadonlyArray<unknown>, options: CreateOptions | undefined) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ValidationFailed, R | PersonalDataHasher> =>
    Effect.gen(function*() {
      const key = options?.idempotency_key
      if (key === undefined) return yield* effect
      // What is no JSON has no fingerprint, and is no body of any operation.
      if (!asked.every(isJson)) return yield* new ValidationFailed({ problems: [at("", problem("INVALID_TYPE"))] })
      const fingerprint = yield* (yield* PersonalDataHasher).hash(canonicalJson([operation, ...asked]))
      const read = readIdempotencyKey(key, "idempotency_key", () => fingerprint)
      return yield* Effect.provideService(effect, CurrentIdempotencyKey, read)
    })
