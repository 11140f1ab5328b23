import { endWithin } from "@lastro/domain/values"
import { Effect, Fiber } from "effect"

/** Maximum time of a read. A longer read is abandoned, and the previous value stays. */
const readTimeout = "2 seconds"

/** Age in milliseconds after which a value counts as unknown. */
const maxAge = 5 * 60_000

/** A value for metrics, read by a statement when it is needed. */
interface OnDemand<A> {
  /**
   * Returns the value of the latest read, and starts the next read. Undefined if no read has succeeded in the last 5
   * minutes.
   */
  readonly value: () => A | undefined
  /** Reads the value, unless it was read within the interval. Waits at most 2 s. Never fails. */
  readonly refresh: Effect.Effect<void>
}

/** Makes a value that is read on demand, at most once per interval. For a current value, run `refresh` first. */
export const readOnDemand = Effect.fnUntraced(
  function*<A, E, R>(statement: Effect.Effect<A, E, R>, interval_ms: number) {
    const runFork = Effect.runForkWith(yield* Effect.context<R>())
    let latest: A | undefined
    let beganAt = Number.NEGATIVE_INFINITY
    let readAt = Number.NEGATIVE_INFINITY
    let reading: Fiber.Fiber<void> | undefined

    const read = endWithin(statement, readTimeout, Effect.fail("no answer" as const)).pipe(
      Effect.map((value) => {
        latest = value
        readAt = performance.now()
      }),
      Effect.ignoreCause,
      Effect.withTracerEnabled(false)
    )
    /** Starts a read on its own fiber. So the read continues if the caller is interrupted. */
    const startReading = (): Fiber.Fiber<void> | undefined => {
      // The read cannot clear `reading` itself: it may end before `runFork` returns.
      if (reading !== undefined && reading.pollUnsafe() === undefined) return reading
      if (performance.now() - beganAt < interval_ms) return undefined
      beganAt = performance.now()
      reading = runFork(read)
      return reading
    }
    return {
      value: () => {
        startReading()
        return performance.now() - readAt > maxAge ? undefined : latest
      },
      refresh: Effect.suspend(() => {
        const started = startReading()
        return started === undefined ? Effect.void : Effect.asVoid(Fiber.await(started))
      })
    } satisfies OnDemand<A>
  }
)
