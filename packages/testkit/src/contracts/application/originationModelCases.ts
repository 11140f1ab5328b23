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

/** The start times of scenarios: an ordinary day, and the evening before a policy change. */
const instants = fc.constantFrom(Date.parse(exampleInstant), Date.UTC(2026, 9, 31, 20), Date.UTC(2026, 10, 1, 2, 59))

/** Dies with the violations of a scenario, if there are any. */
const dieIfBroken = (story: OriginationStory) =>
  Effect.flatMap(story.broken, (broken) => {
    if (broken.length === 0) return Effect.void
    const { at, done, outcome } = story.observations().at(-1) ?? {}
    return Effect.die(new Error(`${JSON.stringify(broken)} after ${JSON.stringify({ at, done, outcome })}`))
  })

/** A step as a fast-check command. The scenario skips a step that is impossible in its state. */
class StepCommand implements fc.AsyncCommand<object, (step: Step) => Promise<void>> {
  readonly step: Step
  constructor(step: Step) {
    this.step = step
  }
  check(): boolean {
    return true
  }
  run(_model: object, run: (step: Step) => Promise<void>): Promise<void> {
    return run(this.step)
  }
  toString(): string {
    return JSON.stringify(this.step)
  }
}

/** Acceptances at an offset from the expiry of the offer, in milliseconds. */
const expiryExamples = [
  ["an offer can be accepted 1 ms before its expiry", -1, "done"],
  ["an offer cannot be accepted at its expiry", 0, "OfferNotAvailable"],
  ["an offer cannot be accepted 1 ms after its expiry", 1, "OfferNotAvailable"]
] as const

/** The rules of origination, after random steps. */
export const originationModelCases: ContractCases<OriginationStorage | PartnerRepository> = (it, { runs }) => {
  it(
    "T40 T43 T44 T45 T46 T47 all seven rules of origination hold after every step of random scenarios",
    () =>
      forAll(
        fc.record({
          begins: instants,
          beginning: beginnings,
          commands: fc.commands([step.map((one) => new StepCommand(one))], { maxCommands: 25, size: "max" })
        }),
        runs,
        Effect.fnUntraced(
          function*({ beginning, begins, commands }) {
            const story = yield* originationStory(yield* givenRoot(), begins)
            for (const one of beginning) yield* Effect.andThen(story.step(one), dieIfBroken(story))
            const run = Effect.runPromiseWith(yield* Effect.context<never>())
            const runStep = (one: Step) => run(Effect.andThen(story.step(one), dieIfBroken(story)))
            yield* Effect.promise(() => fc.asyncModelRun(() => ({ model: {}, real: runStep }), commands))
            yield* Effect.andThen(story.finish, dieIfBroken(story))
          },
          Effect.scoped
        )
      ),
    propertyTimeout
  )

  for (const [title, by, outcome] of expiryExamples) {
    it(`T43 ${title}`, () =>
      Effect.gen(function*() {
        const story = yield* originationStory(yield* givenRoot(), Date.parse(exampleInstant))
        for (const one of usualSteps.slice(0, 3)) yield* story.step(one)
        yield* story.step({ does: "expire", offer: 0, by })
        yield* story.step({ does: "accept", offer: 0, terms_accepted: true })
        assert.strictEqual(story.observations().at(-1)?.outcome, outcome)
        yield* dieIfBroken(story)
      }))
  }
}
