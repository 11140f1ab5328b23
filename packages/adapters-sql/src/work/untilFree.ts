import { type Busy } from "@lastro/domain"
import { Effect, Schedule } from "effect"

/** Longer each time, up to five seconds, and by chance, so that many that met do not meet again. */
const pauses = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)

/** Runs what the database was too busy for again and again, until it no longer is. */
export const untilFree = <A, R>(effect: Effect.Effect<A, Busy, R>): Effect.Effect<A, never, R> =>
  // The pauses never come to an end, so that no failure is left.
  Effect.orDie(Effect.retry(effect, pauses))
