import { latestQuote } from "@lastro/domain/loan"
import { type PartnerRepository } from "@lastro/domain/partner"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { exampleInstant } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type OriginationStorage } from "../../scenarios/LoanFixture.ts"
import { startLoanScenario } from "../../scenarios/LoanScenario.ts"
import { findRaceViolations, race } from "../../scenarios/race.ts"
import { typicalAnswer, typicalSteps } from "../../scenarios/ScenarioStep.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Starts a scenario in a new tree and runs the first `steps` of {@link typicalSteps}. */
const scenarioAfter = Effect.fnUntraced(function*(steps: number) {
  const scenario = yield* startLoanScenario(yield* storeRootPartner(), Date.parse(exampleInstant))
  for (const step of typicalSteps.slice(0, steps)) yield* scenario.step(step)
  return scenario
})

const rounds = fc.constant(undefined)

/** Contract cases for the rules of loan origination under concurrent calls and jobs. */
export const originationRaceCases: ContractCases<OriginationStorage | PartnerRepository> = (it) => {
  it.forAll(
    "T41 T42 T44 concurrent calls that accept two offers, request a quote and clear a KYC field leave at most one contract",
    rounds,
    function*() {
      const scenario = yield* scenarioAfter(3)
      const results = yield* race(scenario)
      assert.deepStrictEqual(yield* findRaceViolations(scenario, results), [], JSON.stringify(results))
    }
  )

  it.forAll(
    "T46 of two concurrent answers to one quote, the first is recorded and the second is dropped",
    rounds,
    function*() {
      const { application, fixture, quotes } = yield* scenarioAfter(0)
      const [job] = fixture.jobs.all()
      if (job?.kind !== "quote") throw new Error("No quote job is pending.")
      const before = yield* application
      yield* quotes.request(job)
      yield* quotes.request(job)
      const refused = { kind: "REFUSED", code: "NO_BALANCE", retry_ms: null } as const
      const [one, other] = quotes.all()
      if (one === undefined || other === undefined) {
        throw new Error("The lender received fewer than two quote requests.")
      }
      yield* Effect.all([quotes.answer(one, typicalAnswer), quotes.answer(other, refused)], {
        concurrency: "unbounded"
      })
      const after = yield* application
      assert.strictEqual(after.version, before.version + 1)
      const { offers, outcome } = latestQuote(after)
      assert.deepStrictEqual([outcome, offers.length], outcome === "COMPLETED" ? [outcome, 2] : ["REJECTED", 0])
    }
  )

  it.forAll(
    "T42 T47 concurrent jobs that submit one contract create one contract and record it once",
    rounds,
    function*() {
      const scenario = yield* scenarioAfter(4)
      const submit = scenario.step({ _tag: "RunJob", job: 1, lender: "done" })
      const before = yield* scenario.application
      yield* Effect.all([submit, submit, submit], { concurrency: "unbounded" })
      const after = yield* scenario.application
      assert.strictEqual(after.version, before.version + 2)
      assert.strictEqual(after.proposal?.status, "AWAITING_SIGNATURE")
      assert.strictEqual((yield* scenario.fixture.lender.contracts).length, 1)
    }
  )
}
