import { millisOf, type Timestamp } from "@lastro/domain/values"
import { Clock, Effect } from "effect"

/** Makes a clock with the given wall time. It sleeps like `live`, whose monotonic time it also has. */
export const makeClock = (live: Clock.Clock, millis: () => number): Clock.Clock => ({
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => BigInt(millis()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(millis()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: live.monotonicTimeNanos,
  sleep: (duration) => live.sleep(duration)
})

/** Runs an effect with a clock that shows a fixed time. */
export const atTime = <A, E, R>(at: Timestamp, effect: Effect.Effect<A, E, R>) =>
  Clock.clockWith((live) => Effect.provideService(effect, Clock.Clock, makeClock(live, () => millisOf(at))))
