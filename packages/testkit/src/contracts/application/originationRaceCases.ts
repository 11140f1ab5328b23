import { type PartnerRepository } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { exampleInstant } from "../../given/Fresh.ts"
import { givenRoot } from "../../given/storedRecords.ts"
import { lastQuote } from "../../origination/naiveJudgments.ts"
import { originationStory } from "../../origination/OriginationStory.ts"
import { type OriginationStorage } from "../../origination/OriginationWorld.ts"
import { brokenRace, race } from "../../origination/race.ts"
import { usualAnswers, usualSteps } from "../../origination/Step.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"

/** Starts a scenario in a new tree and runs the first usual steps. */
const storyAfter = Effect.fnUntraced(function*(steps: number) {
  const story = yield* originationStory(yield* givenRoot(), Date.parse(exampleInstant))
  for (const step of usualSteps.slice(0, steps)) yield* story.step(step)
  return story
})

const rounds = fc.constant(undefined)

/** The rules of origination, while callers and jobs change an application concurrently. */
export const originationRaceCases: ContractCases<OriginationStorage | PartnerRepository> = (it, { runs }) => {
  it(
    "T41 T42 T44 concurrent acceptances of two offers, a new quote and a cleared KYC leave at most one contract",
    () =>
      forAll(rounds, runs, () =>
        Effect.gen(function*() {
          const story = yield* storyAfter(3)
          const raced = yield* race(story)
          assert.deepStrictEqual(yield* brokenRace(story, raced), [], JSON.stringify(raced))
        }).pipe(Effect.scoped)),
    propertyTimeout
  )

  it(
    "T46 of two concurrent answers to one quote, the first is recorded and the second is dropped",
    () =>
      forAll(rounds, runs, () =>
        Effect.gen(function*() {
          const { present, questions, world } = yield* storyAfter(0)
          const [work] = world.work.all()
          if (work?._tag !== "Quote") throw new Error("There is no quote job.")
          const before = yield* present
          yield* questions.ask(work)
          yield* questions.ask(work)
          const refused = { kind: "REFUSED", code: "NO_BALANCE", retry_ms: null } as const
          const [one, other] = questions.open()
          if (one === undefined || other === undefined) throw new Error("The lender has fewer than two open requests.")
          yield* Effect.all([questions.answer(one, usualAnswers), questions.answer(other, refused)], {
            concurrency: "unbounded"
          })
          const after = yield* present
          assert.strictEqual(after.version, before.version + 1)
          const { offers, outcome } = lastQuote(after)
          assert.deepStrictEqual([outcome, offers.length], outcome === "COMPLETED" ? [outcome, 2] : ["REJECTED", 0])
        }).pipe(Effect.scoped)),
    propertyTimeout
  )

  it(
    "T42 T47 concurrent jobs that submit one contract create one contract and record it once",
    () =>
      forAll(rounds, runs, () =>
        Effect.gen(function*() {
          const story = yield* storyAfter(4)
          const submit = story.step({ does: "work", work: 1, deed: "done" })
          const before = yield* story.present
          yield* Effect.all([submit, submit, submit], { concurrency: "unbounded" })
          const after = yield* story.present
          assert.strictEqual(after.version, before.version + 1)
          assert.strictEqual(after.proposal?.status, "AWAITING_SIGNATURE")
          assert.strictEqual((yield* story.world.lender.contracts).length, 1)
        }).pipe(Effect.scoped)),
    propertyTimeout
  )
}
