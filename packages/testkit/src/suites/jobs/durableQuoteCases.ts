import { asOperator } from "@lastro/domain/hierarchy"
import { latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Exit, Latch } from "effect"
import { anApplication } from "../../builders/anApplication.ts"
import { storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { held, silent } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { requireContracted } from "../suite/storedRecords.ts"
import {
  awaitRequests,
  awaitState,
  countQuoteRequests,
  type DurableWorkPorts,
  isAnswered,
  listContractCalls,
  netAmount,
  offerAnswer,
  runOtherJob,
  startQuote,
  storePending
} from "./observedWork.ts"

/** Contract cases for DurableWork: quotes, except recovery after a crash. Requires the scripted lender. */
export const durableQuoteCases: ContractCases<DurableWorkPorts> = (it) => {
  it("`startQuote` runs the quote job to its end after the transaction commits", function*() {
    const lender = yield* ScriptedLender
    const partner = yield* storeRootPartner()
    const application = yield* anApplication({ at: yield* currentTimestamp }).of(partner)
    yield* lender.setQuoteAnswers(silent(), offerAnswer)
    yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* (yield* ApplicationRepository).insert(asOperator.inScope(partner.partner_id), application)
      yield* startQuote(application)
    }))
    const after = yield* awaitState(application, isAnswered)
    assert.deepStrictEqual(latestQuote(after).offers.map(({ terms }) => terms.net_amount), [netAmount])
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })

  it("no job runs before the transaction commits", function*() {
    const lender = yield* ScriptedLender
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    yield* lender.setQuoteAnswers(offerAnswer)
    yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* startQuote(application)
      yield* Effect.sleep("100 millis")
      assert.strictEqual(yield* countQuoteRequests(application), 0)
    }))
    yield* awaitState(application, isAnswered)
  })

  it("`startQuote` and `startContract` roll back with the surrounding transaction", function*() {
    const lender = yield* ScriptedLender
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const contract = yield* storeContractedApplication(partner)
    yield* lender.setQuoteAnswers(offerAnswer)
    const exit = yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* startQuote(application)
      yield* (yield* DurableWork).startContract(requireContracted(contract).proposal.proposal_id)
      return yield* Effect.die("rollback")
    })))
    assert.deepStrictEqual(exit, Exit.die("rollback"))
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 0)
    assert.deepStrictEqual(yield* listContractCalls(contract), [])
    // A job whose start rolled back can be started again.
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitState(application, isAnswered)
  })

  it("`startQuote` runs one job per quote, even if repeated during or after the job", function*() {
    const lender = yield* ScriptedLender
    const unit = yield* UnitOfWork
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const gate = Latch.makeUnsafe()
    yield* lender.setQuoteAnswers(held(gate, offerAnswer), offerAnswer)
    const start = unit.atomically(startQuote(application))
    yield* unit.atomically(Effect.andThen(startQuote(application), startQuote(application)))
    yield* Effect.all([start, start, start], { concurrency: "unbounded" })
    // The first request to the lender comes from this job, and not from the other job.
    yield* awaitRequests(application, 1)
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* gate.open
    yield* awaitState(application, isAnswered)
    yield* start
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 1)
  })

  it("jobs run concurrently: a job that awaits the lender does not block others", function*() {
    const lender = yield* ScriptedLender
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const gate = Latch.makeUnsafe()
    yield* lender.setQuoteAnswers(held(gate, offerAnswer), offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    yield* runOtherJob(partner)
    yield* gate.open
    yield* awaitState(application, isAnswered)
  })
}
