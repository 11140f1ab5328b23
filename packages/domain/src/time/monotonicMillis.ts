import { Clock, Effect } from "effect"

/** The monotonic time in milliseconds. In contrast to the wall clock, it cannot be set, so use it for deadlines and durations. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.Clock,
  (clock) => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
)
