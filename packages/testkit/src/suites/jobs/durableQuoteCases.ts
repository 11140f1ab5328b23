import { asOperator } from "@lastro/domain/hierarchy"
import { latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { currentTimestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Latch } from "effect"
import { anApplication } from "../../builders/anApplication.ts"
import { storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { held, silent } from "../../lender/quoteAnswers.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"
import {
  awaitAnswer,
  awaitRequests,
  countQuoteRequests,
  type DurableWorkPorts,
  listContractCalls,
  netAmount,
  offerAnswer,
  runOtherJob,
  setQuoteAnswers,
  startContract,
  startQuote,
  startRequested,
  storePending
} from "./observedWork.ts"

/** Contract cases for DurableWork: quotes, except recovery after a crash. Requires the scripted lender. */
export const durableQuoteCases: ContractCases<DurableWorkPorts> = (it) => {
  it("`startQuote` runs the quote job to its end after the transaction commits", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* anApplication({ at: yield* currentTimestamp }).of(partner)
    yield* setQuoteAnswers(silent(), offerAnswer)
    yield* atomically(Effect.gen(function*() {
      yield* (yield* ApplicationRepository).insert(asOperator.inScope(partner.partner_id), application)
      yield* startQuote(application)
    }))
    const after = yield* awaitAnswer(application)
    assert.deepStrictEqual(latestQuote(after).offers.map(({ terms }) => terms.net_amount), [netAmount])
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })

  it("no job runs before the transaction commits", function*() {
    const application = yield* storePending
    yield* setQuoteAnswers(offerAnswer)
    yield* atomically(Effect.gen(function*() {
      yield* startQuote(application)
      yield* Effect.sleep("100 millis")
      assert.strictEqual(yield* countQuoteRequests(application), 0)
    }))
    yield* awaitAnswer(application)
  })

  it("`startQuote` and `startContract` roll back with the surrounding transaction", function*() {
    const application = yield* storePending
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    yield* setQuoteAnswers(offerAnswer)
    yield* rollBack(Effect.andThen(startQuote(application), startContract(contract)))
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 0)
    assert.deepStrictEqual(yield* listContractCalls(contract), [])
    // A job whose start rolled back can be started again.
    yield* atomically(startQuote(application))
    yield* awaitAnswer(application)
  })

  it("`startQuote` runs one job per quote, even if repeated during or after the job", function*() {
    const application = yield* storePending
    const gate = Latch.makeUnsafe()
    yield* setQuoteAnswers(held(gate, offerAnswer), offerAnswer)
    const start = atomically(startQuote(application))
    yield* atomically(Effect.andThen(startQuote(application), startQuote(application)))
    yield* repeatInParallel(3, start)
    // The first request to the lender comes from this job, and not from the other job.
    yield* awaitRequests(application, 1)
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* gate.open
    yield* awaitAnswer(application)
    yield* start
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 1)
  })

  it("jobs run concurrently: a job that awaits the lender does not block others", function*() {
    const gate = Latch.makeUnsafe()
    const application = yield* startRequested(held(gate, offerAnswer), offerAnswer)
    yield* runOtherJob
    yield* gate.open
    yield* awaitAnswer(application)
  })
}
