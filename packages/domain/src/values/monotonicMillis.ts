import { Effect } from "effect"

/**
 * The monotonic time in milliseconds. In contrast to the wall clock, it cannot be set, so use it for deadlines and
 * durations.
 */
export const monotonicMillis: Effect.Effect<number> = Effect.clockWith((clock) =>
  Effect.sync(() => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n))
)
