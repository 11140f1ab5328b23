import { Clock, Effect } from "effect"

/** A clock whose wall time stands still until it is set; sleeping takes as long as by the clock of the surroundings. */
export interface SettableClock {
  readonly clock: Clock.Clock
  /** Milliseconds since 1970, UTC. */
  readonly get: () => number
  readonly set: (millis: number) => void
}

/** A clock that is set to an instant. */
export const settableClock = (millis: number): Effect.Effect<SettableClock> =>
  Effect.map(Clock.Clock, (surroundings) => {
    let now = millis
    const nanos = () => BigInt(now) * 1_000_000n
    return {
      get: () => now,
      set: (millis) => {
        now = millis
      },
      clock: {
        currentTimeMillisUnsafe: () => now,
        currentTimeMillis: Effect.sync(() => now),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => surroundings.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: surroundings.monotonicTimeNanos,
        sleep: (duration) => surroundings.sleep(duration)
      }
    }
  })
