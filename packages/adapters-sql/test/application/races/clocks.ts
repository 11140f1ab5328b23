import { millisOf, type Timestamp } from "@lastro/domain"
import { Clock, Effect } from "effect"

/** A clock that shows what it is told to; its pauses are those of `live`, or none. */
const showing = (live: Clock.Clock, millis: () => number, pauses: boolean): Clock.Clock => ({
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => BigInt(millis()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(millis()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: live.monotonicTimeNanos,
  sleep: (duration) => pauses ? live.sleep(duration) : Effect.yieldNow
})

/** On a node whose clock shows this: a time at which it stands, or the time that is told whenever it is looked at. */
export const clockAt = (time: Timestamp | (() => Timestamp)) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((live) => {
    const millis = () => millisOf(typeof time === "string" ? time : time())
    return Effect.provideService(effect, Clock.Clock, showing(live, millis, true))
  })

/** Without any of its pauses. */
export const impatient = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((live) =>
    Effect.provideService(effect, Clock.Clock, showing(live, () => live.currentTimeMillisUnsafe(), false))
  )
