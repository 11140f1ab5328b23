import { type OfferNotAvailable } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { Context, Effect, Layer, Result } from "effect"
import { makeBarrier } from "../../coordination.ts"

/** Runs after an application was read without a lock: the barrier of a race, or nothing. */
const AfterRead = Context.Reference<Effect.Effect<unknown>>(
  "@lastro/adapters-sql/test/application/races/race/AfterRead",
  {
    defaultValue: () => Effect.void
  }
)

/** Wraps the application repository so that racers can wait for each other between the unlocked and the locked read. */
export const layerAfterRead: Layer.Layer<ApplicationRepository, never, ApplicationRepository> = Layer.effect(
  ApplicationRepository,
  Effect.map(ApplicationRepository, (applications) => {
    const synchronize = <A>(read: Effect.Effect<A>) => Effect.tap(read, () => Effect.flatten(AfterRead))
    return ApplicationRepository.of({
      ...applications,
      find: (scope, id) => synchronize(applications.find(scope, id)),
      ofQuote: (quote) => synchronize(applications.ofQuote(quote)),
      ofProposal: (proposal) => synchronize(applications.ofProposal(proposal))
    })
  })
)

/** The outcome as a string: `done`, or the error's tag with its reason if it has one. */
export const outcomeOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => {
    if (Result.isSuccess(result)) return "done"
    const { _tag, reason } = result.failure as E & Partial<OfferNotAvailable>
    return reason === undefined ? _tag : `${_tag} ${reason}`
  })

/** The options that run all racers concurrently. */
export const concurrently = { concurrency: "unbounded" } as const

interface Race {
  readonly racers: number
  /** The point at which the racers wait for each other: at the start, or between the unlocked and the locked read. */
  readonly barrierAt: "start" | "read"
  /** The racer that continues first: the first or the last to arrive at the barrier. */
  readonly continues: "first" | "last"
}

const makeRace = ({ barrierAt, continues, racers }: Race) =>
  Effect.map(makeBarrier(racers), (barrier) => {
    const wait = continues === "last" ? barrier : Effect.andThen(barrier, Effect.yieldNow)
    return <A, E extends { readonly _tag: string }, R>(racer: Effect.Effect<A, E, R>) =>
      outcomeOf(
        barrierAt === "read"
          ? Effect.provideService(racer, AfterRead, wait)
          : Effect.provideService(Effect.andThen(wait, racer), AfterRead, Effect.void)
      )
  })

const continuesIn = (round: number): Race["continues"] => round % 4 < 2 ? "first" : "last"

/** Makes a race whose racers all start at once. */
export const raceFromStart = (round: number, racers: number) =>
  makeRace({ racers, barrierAt: "start", continues: continuesIn(round) })

/** Makes a race whose racers all read the application before any of them locks it. */
const raceFromRead = (round: number, racers: number) =>
  makeRace({ racers, barrierAt: "read", continues: continuesIn(round) })

/** Makes a race of alternating kind: from the start in even rounds, from the read in odd ones. */
export const race = (round: number, racers: number) =>
  round % 2 === 0 ? raceFromStart(round, racers) : raceFromRead(round, racers)
