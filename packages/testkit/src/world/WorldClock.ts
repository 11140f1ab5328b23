import { type Timestamp, timestampOf } from "@lastro/domain"
import { Clock, Context, Duration, Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"

/** A clock that stands still until it is told to go, with everything that waits by it. */
export class WorldClock extends Context.Service<WorldClock, {
  /** The present instant. */
  readonly now: () => Timestamp
  /** Goes to an instant; what waits until then goes on when its time comes. Dies of a RangeError where that is past. */
  readonly set: (millis: number) => Effect.Effect<void>
  /** Goes on by a duration. Dies of a RangeError where that is negative or has no end. */
  readonly advance: (by: Duration.Input) => Effect.Effect<void>
  /** Runs an effect that does not wait: whenever it would, the clock goes on instead, for at most a day in all. */
  readonly passing: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Lets everything that waits, and that would from now on, go on at once, so that it can come to an end. */
  readonly end: Effect.Effect<void>
}>()("@lastro/testkit/world/WorldClock") {}

/** Milliseconds since 1970 of an instant, ISO 8601. Throws for what is none. */
export const millisOfInstant = (instant: string): number => {
  const millis = Date.parse(instant)
  if (Number.isNaN(millis)) throw new RangeError("a clock is set to an instant of ISO 8601")
  return millis
}

/** How far a clock goes on by itself. */
const furthest = Duration.toMillis("1 day")

const forever = Effect.suspend(() => Latch.makeUnsafe().await)

const neverBack = "a clock goes on and never back, by a time that has an end"

/**
 * The last instant that the clock goes on to by itself, where it does. A reference of its own, since work that runs by ports as they
 * were built has the clock that they were built with.
 */
const PassesUntil = Context.Reference<number | null>("@lastro/testkit/world/WorldClock/PassesUntil", {
  defaultValue: () => null
})

const make = (start: number, clock: TestClock.TestClock) => {
  const waiting = new Set<{ readonly until: number }>()
  const over = Latch.makeUnsafe()
  let ended = false

  const within = Effect.provideService(Clock.Clock, clock)
  const present = () => clock.currentTimeMillisUnsafe()
  const set = (millis: number) => within(TestClock.setTime(millis))

  const goes = (to: number, how: Effect.Effect<void>) =>
    to >= present() && Number.isFinite(to) ? how : Effect.die(new RangeError(neverBack))

  const waits = (by: Duration.Duration, until: number) =>
    Effect.suspend(() => {
      const one = { until }
      waiting.add(one)
      return Effect.ensuring(clock.sleep(by), Effect.sync(() => waiting.delete(one)))
    })

  const passes = (until: number, latest: number) =>
    until > latest
      ? Effect.die(new Error("work still waits after a day: does the lender keep silent?"))
      : Effect.suspend(() => set(Math.max(until, present())))

  const sleep = (by: Duration.Duration): Effect.Effect<void> =>
    // What looks at something for ever, and was let go, would look on without a pause.
    !Duration.isFinite(by) ?
      Effect.suspend(() => ended ? forever : over.await) :
      Effect.flatMap(PassesUntil, (latest) => {
        const until = present() + Duration.toMillis(by)
        return ended ? Effect.yieldNow : latest === null ? waits(by, until) : passes(until, latest)
      })

  const passing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => Effect.provideService(effect, PassesUntil, present() + furthest))

  const end = Effect.suspend(() => {
    ended = true
    over.openUnsafe()
    return set(Math.max(present(), ...Array.from(waiting, ({ until }) => until)))
  })

  return Effect.as(
    set(start),
    Context.make(Clock.Clock, { ...clock, sleep }).pipe(
      Context.add(
        WorldClock,
        WorldClock.of({
          now: () => timestampOf(present()),
          set: (millis) => Effect.suspend(() => goes(millis, set(millis))),
          advance: (by) =>
            Effect.suspend(() => {
              const to = present() + Duration.toMillis(Duration.fromInputUnsafe(by))
              return goes(to, set(to))
            }),
          passing,
          end
        })
      )
    )
  )
}

/** A clock that stands at an instant. */
export const layerWorldClock = (start: number): Layer.Layer<WorldClock> =>
  Layer.flatMap(
    TestClock.layer(),
    (made) =>
      Layer.effectContext(Effect.map(make(start, Context.get(made, Clock.Clock) as TestClock.TestClock), (context) =>
        Context.merge(made, context)))
  )
