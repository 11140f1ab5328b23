import { Effect } from "effect"

/** The monotonic time in milliseconds, for deadlines and durations. Unlike the wall clock, it is never set back. */
export const monotonicMillis: Effect.Effect<number> = Effect.clockWith((clock) =>
  Effect.sync(() => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n))
)
