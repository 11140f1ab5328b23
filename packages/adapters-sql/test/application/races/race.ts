import { ApplicationRepository, type OfferNotAvailable } from "@lastro/domain"
import { Context, Effect, Layer, Result } from "effect"
import { barrier } from "../../coordination.ts"

/** Where whoever has read an application without holding it waits for the others of its race; nowhere outside a race. */
const Meeting = Context.Reference<Effect.Effect<unknown>>("@lastro/adapters-sql/test/application/races/race/Meeting", {
  defaultValue: () => Effect.void
})

/** The applications of the surroundings, where races can be made to meet between reading and holding. */
export const layerMeeting: Layer.Layer<ApplicationRepository, never, ApplicationRepository> = Layer.effect(
  ApplicationRepository,
  Effect.map(ApplicationRepository, (applications) => {
    const met = <A>(read: Effect.Effect<A>) => Effect.tap(read, () => Effect.flatten(Meeting))
    return ApplicationRepository.of({
      ...applications,
      find: (scope, id) => met(applications.find(scope, id)),
      ofQuote: (quote) => met(applications.ofQuote(quote)),
      ofProposal: (proposal) => met(applications.ofProposal(proposal))
    })
  })
)

/** What comes of something, in a word: `done`, or its refusal. */
export const outcomeOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => {
    if (Result.isSuccess(result)) return "done"
    const { _tag, reason } = result.failure as E & Partial<OfferNotAvailable>
    return reason === undefined ? _tag : `${_tag} ${reason}`
  })

/** How the racers of a race are run. */
export const together = { concurrency: "unbounded" } as const

interface Race {
  readonly racers: number
  /** Where they wait for each other: before they begin, or between reading an application and holding it. */
  readonly meet: "beginning" | "reading"
  /** Who goes on first: the one that came first, or last. */
  readonly goesOn: "first" | "last"
}

const race = ({ goesOn, meet, racers }: Race) =>
  Effect.map(barrier(racers), (all) => {
    const met = goesOn === "last" ? all : Effect.andThen(all, Effect.yieldNow)
    return <A, E extends { readonly _tag: string }, R>(racer: Effect.Effect<A, E, R>) =>
      outcomeOf(
        meet === "reading"
          ? Effect.provideService(racer, Meeting, met)
          : Effect.provideService(Effect.andThen(met, racer), Meeting, Effect.void)
      )
  })

const goesOn = (round: number): Race["goesOn"] => round % 4 < 2 ? "first" : "last"

/** A place in a race of so many: all begin at once. */
export const startingAtOnce = (round: number, racers: number) =>
  race({ racers, meet: "beginning", goesOn: goesOn(round) })

/** A place in a race of so many: all hold the application at once, after each has read it. */
const readingAtOnce = (round: number, racers: number) => race({ racers, meet: "reading", goesOn: goesOn(round) })

/** The one or the other, by turns. */
export const atOnce = (round: number, racers: number) =>
  round % 2 === 0 ? startingAtOnce(round, racers) : readingAtOnce(round, racers)
