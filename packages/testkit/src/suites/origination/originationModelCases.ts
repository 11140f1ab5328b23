import { type PartnerRepository } from "@lastro/domain/partner"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { exampleInstant } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type OriginationStorage } from "../../scenarios/LoanFixture.ts"
import { type LoanScenario, startLoanScenario } from "../../scenarios/LoanScenario.ts"
import { scenarioPrefix, type ScenarioStep, scenarioStep, typicalSteps } from "../../scenarios/ScenarioStep.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Start times of scenarios: an ordinary day, and the evening before a policy change. */
const instants = fc.constantFrom(Date.parse(exampleInstant), Date.UTC(2026, 9, 31, 20), Date.UTC(2026, 10, 1, 2, 59))

/** Dies when a scenario violates a rule. */
const expectNoViolation = (scenario: LoanScenario) =>
  Effect.flatMap(scenario.violations, (violations) => {
    if (violations.length === 0) return Effect.void
    const { at, command, outcome } = scenario.observations().at(-1) ?? {}
    return Effect.die(new Error(`${JSON.stringify(violations)} after ${JSON.stringify({ at, command, outcome })}`))
  })

/** A scenario step as a fast-check command. */
class StepCommand implements fc.AsyncCommand<object, (step: ScenarioStep) => Promise<void>> {
  readonly step: ScenarioStep
  constructor(step: ScenarioStep) {
    this.step = step
  }
  check(): boolean {
    return true
  }
  run(_model: object, take: (step: ScenarioStep) => Promise<void>): Promise<void> {
    return take(this.step)
  }
  toString(): string {
    return JSON.stringify(this.step)
  }
}

/**
 * Titles of cases, each with the time from the expiry of an offer to its acceptance in milliseconds (negative: before the expiry), and with
 * the expected outcome.
 */
const expiryExamples = [
  ["an offer can be accepted 1 ms before its expiry", -1, "done"],
  ["an offer cannot be accepted at its expiry", 0, "OfferNotAvailable"],
  ["an offer cannot be accepted 1 ms after its expiry", 1, "OfferNotAvailable"]
] as const

/** Contract cases for the rules of loan origination under random sequences of steps. */
export const originationModelCases: ContractCases<OriginationStorage | PartnerRepository> = (it) => {
  it.forAll(
    "T40 T43 T44 T45 T46 T47 all seven rules of origination hold after every step of random scenarios",
    fc.record({
      begins: instants,
      prefix: scenarioPrefix,
      commands: fc.commands([scenarioStep.map((step) => new StepCommand(step))], { maxCommands: 25, size: "max" })
    }),
    function*({ begins, commands, prefix }) {
      const scenario = yield* startLoanScenario(yield* storeRootPartner(), begins)
      const take = (step: ScenarioStep) => Effect.andThen(scenario.step(step), expectNoViolation(scenario))
      for (const step of prefix) yield* take(step)
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const real = (step: ScenarioStep) => run(take(step))
      yield* Effect.promise(() => fc.asyncModelRun(() => ({ model: {}, real }), commands))
      yield* Effect.andThen(scenario.finish, expectNoViolation(scenario))
    }
  )

  for (const [title, by, outcome] of expiryExamples) {
    it(`T43 ${title}`, function*() {
      const scenario = yield* startLoanScenario(yield* storeRootPartner(), Date.parse(exampleInstant))
      for (const step of typicalSteps.slice(0, 3)) yield* scenario.step(step)
      yield* scenario.step({ _tag: "GoToExpiry", offer: 0, offset_ms: by })
      yield* scenario.step({ _tag: "AcceptOffer", offer: 0, terms_accepted: true })
      assert.strictEqual(scenario.observations().at(-1)?.outcome, outcome)
      yield* expectNoViolation(scenario)
    })
  }
}
