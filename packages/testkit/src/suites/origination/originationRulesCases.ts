import { authorize, type Caller } from "@lastro/domain/access"
import { parseIdempotencyKey } from "@lastro/domain/idempotency"
import { callerAt } from "@lastro/domain/identity"
import { latestQuote } from "@lastro/domain/loan"
import { createApplication } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { assert } from "chai"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { aCaller } from "../../builders/aCaller.ts"
import { aCustomer } from "../../builders/aCustomer.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { openLoanFixture, type OriginationStorage } from "../../scenarios/LoanFixture.ts"
import { type LoanScenario, startLoanScenario } from "../../scenarios/LoanScenario.ts"
import { findRaceViolations, race } from "../../scenarios/race.ts"
import {
  scenarioPrefix,
  type ScenarioStep,
  scenarioStep,
  typicalAnswer,
  typicalSteps
} from "../../scenarios/ScenarioStep.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { findPartnerForUpdate } from "../suite/storedRecords.ts"
import { inParallel } from "../suite/transactions.ts"

/** Start times of scenarios: an ordinary day, and the evening before a policy change. */
const instants = fc.constantFrom(Date.parse(exampleInstant), Date.UTC(2026, 9, 31, 20), Date.UTC(2026, 10, 1, 2, 59))

/** Dies if a scenario violates a rule. */
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

/** The time of the acceptance of an offer, in milliseconds after the expiry of the offer, and the expected outcome. */
const expiryExamples = [
  { title: "an offer can be accepted 1 ms before its expiry", offset_ms: -1, outcome: "done" },
  { title: "an offer cannot be accepted at its expiry", offset_ms: 0, outcome: "OfferNotAvailable" },
  { title: "an offer cannot be accepted 1 ms after its expiry", offset_ms: 1, outcome: "OfferNotAvailable" }
] as const

/** Starts a scenario in a new tree and runs the first `steps` of {@link typicalSteps}. */
const scenarioAfter = Effect.fnUntraced(function*(steps: number) {
  const scenario = yield* startLoanScenario(yield* storeRootPartner(), Date.parse(exampleInstant))
  for (const step of typicalSteps.slice(0, steps)) yield* scenario.step(step)
  return scenario
})

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

  for (const { offset_ms, outcome, title } of expiryExamples) {
    it(`T43 ${title}`, function*() {
      const scenario = yield* scenarioAfter(3)
      yield* scenario.step({ _tag: "GoToExpiry", offer: 0, offset_ms })
      yield* scenario.step({ _tag: "AcceptOffer", offer: 0, terms_accepted: true })
      assert.strictEqual(scenario.observations().at(-1)?.outcome, outcome)
      yield* expectNoViolation(scenario)
    })
  }
}

/** The example of a race. It has no values: the property repeats the race. */
const round = fc.constant(undefined)

/** Contract cases for the rules of loan origination under concurrent calls and jobs. */
export const originationRaceCases: ContractCases<OriginationStorage | PartnerRepository> = (it) => {
  it.forAll(
    "T41 T42 T44 concurrent calls that accept two offers, request a quote and clear a KYC field leave at most one contract",
    round,
    function*() {
      const scenario = yield* scenarioAfter(3)
      const results = yield* race(scenario)
      assert.deepStrictEqual(yield* findRaceViolations(scenario, results), [], JSON.stringify(results))
    }
  )

  it.forAll(
    "T46 of two concurrent answers to one quote, the first is recorded and the second is dropped",
    round,
    function*() {
      const { application, fixture, quotes } = yield* scenarioAfter(0)
      const [job] = fixture.jobs.all()
      if (job?.kind !== "quote") throw new Error("No quote job is pending.")
      const before = yield* application
      yield* quotes.request(job)
      yield* quotes.request(job)
      const refused = { kind: "REFUSED", code: "NO_BALANCE", retry_ms: null } as const
      const [first, second] = quotes.all()
      if (first === undefined || second === undefined) {
        throw new Error("The lender received fewer than two quote requests.")
      }
      yield* inParallel([quotes.answer(first, typicalAnswer), quotes.answer(second, refused)])
      const after = yield* application
      assert.strictEqual(after.version, before.version + 1)
      const { offers, outcome } = latestQuote(after)
      assert.deepStrictEqual([outcome, offers.length], outcome === "COMPLETED" ? [outcome, 2] : ["REJECTED", 0])
    }
  )

  it.forAll(
    "T42 T47 concurrent jobs that submit one contract create one contract and record it once",
    round,
    function*() {
      const scenario = yield* scenarioAfter(4)
      const submit = scenario.step({ _tag: "RunJob", job: 1, lender: "done" })
      const before = yield* scenario.application
      yield* inParallel([submit, submit, submit])
      const after = yield* scenario.application
      assert.strictEqual(after.version, before.version + 2)
      assert.strictEqual(after.proposal?.status, "AWAITING_SIGNATURE")
      assert.strictEqual((yield* scenario.fixture.lender.contracts).length, 1)
    }
  )
}

/** Opens an application with an idempotency key, and returns its id and creator. */
const openApplication = Effect.fnUntraced(function*(caller: Caller, { partner_id }: PartnerDetail, key: string) {
  const { birth_date, cpf } = yield* aCustomer({ cpf: "11144477735" })
  const body = { external_id: "loan-1", partner_id, customer: { birth_date, cpf } }
  const allowed = Result.getOrThrow(authorize(caller, "fgts:write"))
  const sent = parseIdempotencyKey(key, "idempotency_key", () => "the same request")
  const { answer } = yield* createApplication(allowed, body, sent)
  return { id: answer.application_id, created_by: answer.created_by }
})

/** Contract cases for use cases of callers whom the host application has authenticated. */
export const hostCallerCases: ContractCases<OriginationStorage | PartnerRepository> = (it) => {
  it("T51 AUTH-24 a user of the host creates records, and its idempotency keys are separate from those of an API client with the same id", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const fixture = yield* openLoanFixture(root, Date.parse(exampleInstant))
    const subject = yield* freshId
    const host = yield* callerAt(root.partner_id, { subject, group: "operator" })
    const client = yield* aCaller().at(root).asClient().called(subject)
    const key = yield* freshId
    const open = (caller: Caller) => fixture.run(openApplication(caller, child, key))
    const [byHost, byClient] = [yield* open(host), yield* open(client)]
    assert.deepStrictEqual([byHost.created_by, byClient.created_by], [`host:${subject}`, subject])
    assert.notStrictEqual(byHost.id, byClient.id)
    assert.deepStrictEqual(yield* open(yield* callerAt(root.partner_id, { subject, group: "admin" })), byHost)
  })

  it("T08 AUTH-24 no caller is created at an inactive partner or below it, until it is active again", function*() {
    const partners = yield* PartnerRepository
    const [root, child] = yield* storeForest([null, 0])
    const rootOrRefusal = Effect.match(callerAt(child.partner_id, { subject: "u-1", group: "viewer" }), {
      onSuccess: ({ root_id }) => root_id as string,
      onFailure: (failure) => failure._tag === "Unauthenticated" ? failure.reason : failure._tag
    })
    const setStatus = Effect.fnUntraced(function*(status: PartnerDetail["status"]) {
      const before = yield* findPartnerForUpdate(root)
      yield* partners.update(before, { ...before.record, status })
    })
    assert.strictEqual(yield* rootOrRefusal, root.partner_id)
    yield* setStatus("inactive")
    assert.strictEqual(yield* rootOrRefusal, "inactive")
    yield* setStatus("active")
    assert.strictEqual(yield* rootOrRefusal, root.partner_id)
  })
}
