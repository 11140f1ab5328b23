import { type PartnerRepository } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { exampleInstant } from "../../given/Fresh.ts"
import { givenRoot } from "../../given/storedRecords.ts"
import { type OriginationStory, originationStory } from "../../origination/OriginationStory.ts"
import { type OriginationStorage } from "../../origination/OriginationWorld.ts"
import { beginnings, type Step, step, usualSteps } from "../../origination/Step.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"

/** When stories begin: some day, and the evening before another policy. */
const instants = fc.constantFrom(Date.parse(exampleInstant), Date.UTC(2026, 9, 31, 20), Date.UTC(2026, 10, 1, 2, 59))

/** Dies with what shows that a rule is broken. */
const holds = (story: OriginationStory) =>
  Effect.flatMap(story.broken, (broken) => {
    if (broken.length === 0) return Effect.void
    const { at, done, outcome } = story.observations().at(-1) ?? {}
    return Effect.die(new Error(`${JSON.stringify(broken)} after ${JSON.stringify({ at, done, outcome })}`))
  })

/** A step as a command of fast-check: what a story cannot do as it stands, it skips. */
class Telling implements fc.AsyncCommand<object, (step: Step) => Promise<void>> {
  readonly told: Step
  constructor(told: Step) {
    this.told = told
  }
  check(): boolean {
    return true
  }
  run(_model: object, tell: (step: Step) => Promise<void>): Promise<void> {
    return tell(this.told)
  }
  toString(): string {
    return JSON.stringify(this.told)
  }
}

/** The rules of origination, held by use cases and storage together, whatever is done in whatever order. */
export const originationModelCases: ContractCases<OriginationStorage | PartnerRepository> = (it, { runs }) => {
  it(
    "T40 T43 T44 T45 T46 T47 after every step of random stories all seven rules of origination hold",
    () =>
      forAll(
        fc.record({
          begins: instants,
          beginning: beginnings,
          commands: fc.commands([step.map((one) => new Telling(one))], { maxCommands: 25, size: "max" })
        }),
        runs,
        Effect.fnUntraced(
          function*({ beginning, begins, commands }) {
            const story = yield* originationStory(yield* givenRoot(), begins)
            for (const one of beginning) yield* Effect.andThen(story.step(one), holds(story))
            const run = Effect.runPromiseWith(yield* Effect.context<never>())
            const tell = (one: Step) => run(Effect.andThen(story.step(one), holds(story)))
            yield* Effect.promise(() => fc.asyncModelRun(() => ({ model: {}, real: tell }), commands))
            yield* Effect.andThen(story.finish, holds(story))
          },
          Effect.scoped
        )
      ),
    propertyTimeout
  )

  for (const [by, outcome] of [[-1, "done"], [0, "OfferNotAvailable"], [1, "OfferNotAvailable"]] as const) {
    it(`T43 an offer is accepted a millisecond before it expires, not at its expiry, nor after: ${by} ms`, () =>
      Effect.gen(function*() {
        const story = yield* originationStory(yield* givenRoot(), Date.parse(exampleInstant))
        for (const one of usualSteps.slice(0, 3)) yield* story.step(one)
        yield* story.step({ does: "expire", offer: 0, by })
        yield* story.step({ does: "accept", offer: 0, terms_accepted: true })
        assert.strictEqual(story.observations().at(-1)?.outcome, outcome)
        yield* holds(story)
      }))
  }
}
