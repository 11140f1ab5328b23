import { Effect, Option } from "effect"
import { type Collected, type CollectedCase } from "./collect.ts"

/** A case that did not hold, and what it failed with. */
export interface Failed {
  readonly name: string
  readonly error: unknown
}

const failureIn = ({ name, run, timeout }: CollectedCase, limit: number) =>
  Effect.tryPromise({ try: (signal) => run({ signal }), catch: (error): Failed => ({ name, error }) }).pipe(
    Effect.timeoutOrElse({
      duration: Math.min(timeout, limit),
      orElse: () => Effect.fail<Failed>({ name, error: "it took too long" })
    }),
    Effect.flip,
    Effect.option
  )

/** Runs what was collected as a runner would, each case for at most so many milliseconds, and answers what failed. */
export const failuresIn = ({ after, before, cases }: Collected, limit = Number.POSITIVE_INFINITY) =>
  Effect.gen(function*() {
    for (const hook of before) yield* Effect.promise(hook)
    const failures = yield* Effect.forEach(cases, (one) => failureIn(one, limit))
    for (const hook of after) yield* Effect.promise(hook)
    return failures.filter(Option.isSome).map(({ value }) => value)
  })
