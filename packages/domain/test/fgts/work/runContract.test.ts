import { assert, describe, it } from "@effect/vitest"
import { ScriptedLender, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { Lender, LenderUnavailable } from "../../../src/fgts/lender/Lender.ts"
import { pollContract, pollDueContracts } from "../../../src/fgts/work/pollContracts.ts"
import { submitContract } from "../../../src/fgts/work/submitContract.ts"
import { type ProposalId } from "../../../src/id/ids.ts"
import { currentTimestamp } from "../../../src/time/Timestamp.ts"
import { UnitOfWork } from "../../../src/transaction/UnitOfWork.ts"
import { auditEntriesOf, loadApplication, runWithoutWorkers } from "../../fixtures.ts"

/** A contract that awaits the customer's signature. */
const unsigned = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  const id = application.proposal?.proposal_id as ProposalId
  yield* submitContract(id)
  return { application, id }
})

const statusOf = (application: Application) =>
  Effect.map(loadApplication(application), ({ proposal }) => proposal?.status)

/** The number of times the lender was polled. */
const looks = Effect.gen(function*() {
  return (yield* (yield* ScriptedLender).calls).filter(({ _tag }) => _tag === "Contract").length
})

describe("pollDueContracts", () => {
  it.effect("LENDER-03 polls due contracts, records changes and returns the number polled", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const [one, other] = [yield* unsigned, yield* unsigned]
      assert.strictEqual(yield* pollDueContracts(), 0)
      yield* TestClock.adjust("100 millis")
      yield* scripted.moveContract(one.id, "PAID")
      assert.strictEqual(yield* pollDueContracts(), 2)
      assert.strictEqual(yield* statusOf(one.application), "PAID")
      assert.strictEqual(yield* statusOf(other.application), "AWAITING_SIGNATURE")
      const actions = (yield* auditEntriesOf(one.application.application_id)).map(({ action }) => action)
      assert.deepStrictEqual(actions, ["application.contract", "application.contract"])
      assert.strictEqual((yield* auditEntriesOf(other.application.application_id)).length, 1)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* pollDueContracts(), 1)
    })))

  it.effect("LENDER-03 polls less often while nothing changes, and soon after a change", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* unsigned
      for (let second = 0; second < 3_600; second++) {
        yield* TestClock.adjust("1 second")
        yield* pollDueContracts()
      }
      const inAnHour = yield* looks
      assert.isAtLeast(inAnHour, 40)
      assert.isAtMost(inAnHour, 100)
      yield* (yield* ScriptedLender).moveContract(id, "GUARANTEE_PENDING")
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual(yield* pollDueContracts(), 1)
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* pollDueContracts(), 1)
    })))

  it.effect("LENDER-03 an unavailable lender is polled again later for every contract, and nothing is lost", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const lender = yield* Lender
      const contracts = [yield* unsigned, yield* unsigned, yield* unsigned]
      for (const { id } of contracts) yield* scripted.moveContract(id, "DISBURSING")
      const silent = { ...lender, contract: () => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "" })) }
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* Effect.provideService(pollDueContracts(), Lender, silent), 3)
      assert.strictEqual(yield* Effect.provideService(pollDueContracts(), Lender, silent), 0)
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* pollDueContracts(), 3)
      for (const { application } of contracts) assert.strictEqual(yield* statusOf(application), "DISBURSING")
    })))

  it.effect("LENDER-03 a failing poll affects no other contract and is repeated", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const lender = yield* Lender
      const [one, other] = [yield* unsigned, yield* unsigned]
      for (const { id } of [one, other]) yield* scripted.moveContract(id, "DISBURSING")
      const broken = (yield* loadApplication(one.application)).proposal?.reference
      const breaking: typeof lender = {
        ...lender,
        contract: (reference) => reference === broken ? Effect.die(new Error("broken")) : lender.contract(reference)
      }
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* Effect.provideService(pollDueContracts(), Lender, breaking), 2)
      assert.strictEqual(yield* statusOf(one.application), "AWAITING_SIGNATURE")
      assert.strictEqual(yield* statusOf(other.application), "DISBURSING")
      yield* TestClock.adjust("100 millis")
      yield* pollDueContracts()
      assert.strictEqual(yield* statusOf(one.application), "DISBURSING")
    })))

  it.effect("T46 concurrent rounds record a change once", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* unsigned
      yield* (yield* ScriptedLender).moveContract(id, "DISBURSING")
      yield* TestClock.adjust("1 second")
      yield* Effect.all([pollDueContracts(), pollDueContracts(), pollDueContracts()], { concurrency: "unbounded" })
      const { proposal, version } = yield* loadApplication(application)
      assert.strictEqual(version, application.version + 3)
      assert.deepStrictEqual(proposal?.status_history.map(({ status }) => status), [
        "SUBMITTING",
        "AWAITING_SIGNATURE",
        "GUARANTEE_PENDING",
        "DISBURSING"
      ])
    })))

  it.effect("LENDER-03 a failed payment is still polled: the lender may pay or cancel it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      for (
        const [to, expected] of [["PAID", "PAID"], ["CANCELLED", "CANCELLED"], ["DISBURSING", "DISBURSING"]] as const
      ) {
        const { application, id } = yield* unsigned
        yield* scripted.moveContract(id, "DISBURSEMENT_FAILED")
        yield* TestClock.adjust("1 second")
        yield* pollDueContracts()
        assert.strictEqual(yield* statusOf(application), "DISBURSEMENT_FAILED")
        yield* scripted.moveContract(id, to)
        yield* TestClock.adjust("1 day")
        yield* pollDueContracts()
        assert.strictEqual(yield* statusOf(application), expected)
      }
    })))

  it.effect("a poll without changes opens no transaction", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application } = yield* unsigned
      yield* TestClock.adjust("1 second")
      const broken = UnitOfWork.of({ atomically: () => Effect.die(new Error("no transaction")) })
      yield* Effect.provideService(pollContract(application.proposal!.proposal_id), UnitOfWork, broken)
      assert.strictEqual(yield* pollDueContracts(), 0)
    })))
})
