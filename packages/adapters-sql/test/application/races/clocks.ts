import { millisOf, type Timestamp } from "@lastro/domain/time"
import { Clock, Effect } from "effect"

/** Makes a clock with the given time. It sleeps like `live`. */
const makeClock = (live: Clock.Clock, millis: () => number): Clock.Clock => ({
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => BigInt(millis()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(millis()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: live.monotonicTimeNanos,
  sleep: (duration) => live.sleep(duration)
})

/** Runs an effect with a clock that is fixed at a time, or that calls a function for the time. */
export const withClockAt = (time: Timestamp | (() => Timestamp)) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((live) => {
    const millis = () => millisOf(typeof time === "string" ? time : time())
    return Effect.provideService(effect, Clock.Clock, makeClock(live, millis))
  })
