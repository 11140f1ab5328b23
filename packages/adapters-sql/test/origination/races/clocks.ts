import { millisOf, type Timestamp } from "@lastro/domain/values"
import { Clock, Effect } from "effect"
import { makeClock } from "../../clock.ts"

/** Runs an effect with a clock that is fixed at a time, or that calls a function for the time. */
export const withClockAt = (time: Timestamp | (() => Timestamp)) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((live) => {
    const millis = () => millisOf(typeof time === "string" ? time : time())
    return Effect.provideService(effect, Clock.Clock, makeClock(live, millis))
  })
