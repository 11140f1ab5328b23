import { asOperator } from "@lastro/domain/hierarchy"
import { basicRequirements } from "@lastro/domain/kyc"
import { type Application, evolve, latestQuote, type LoanEvent, partsOf, referenceOf } from "@lastro/domain/loan"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { addMillis, currentTimestamp, type QuoteId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Latch, Tracer } from "effect"
import { anApplication } from "../../builders/anApplication.ts"
import { answerWithOffers } from "../../builders/applicationStages.ts"
import { freshId } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { held, type QuoteAnswer, silent } from "../../lender/quoteAnswers.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"
import {
  awaitAnswer,
  awaitRequests,
  awaitState,
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

/** Returns the span of a caller in a trace. */
const callerSpan = (traceId: string) => Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled: true })

/**
 * Stores an application whose quote has been pending for `age_ms` milliseconds at two lenders that the installation no
 * longer has. With `hasOffers`, the first lender returned offers at once, and the quote is completed.
 */
const storeAtFormerLenders = Effect.fnUntraced(
  function*(age_ms: number, { hasOffers }: { readonly hasOffers: boolean }) {
    const at = addMillis(yield* currentTimestamp, -age_ms)
    const pending = yield* storeApplication(yield* storeRootPartner(), { at })
    const priced = yield* answerWithOffers(pending)
    const quote_id = (yield* freshId) as QuoteId
    const { offers, wish } = latestQuote(priced)
    const lenders = ["left", "gone"].map((code) => ({
      lender: { code, label: code },
      requirements: basicRequirements
    }))
    const answer = { at, offers, unpriced: [], unlawful: [] }
    const events: ReadonlyArray<LoanEvent> = [
      { _tag: "QuoteRequested", at, quote_id, wish, lenders, routing: { strategy: "ALL", patience_ms: 0 } },
      ...hasOffers
        ? [{ _tag: "LenderOffered", lender: "left", ...answer }, { _tag: "QuoteCompleted", ...answer }] as const
        : []
    ]
    const after = events.reduce(evolve, priced)
    yield* atomically(Effect.andThen(
      saveApplication(pending, after),
      DurableWork.use((work) => work.startPatience(quote_id))
    ))
    return after
  }
)

const outcomesOf = (application: Application): ReadonlyArray<string> =>
  partsOf(latestQuote(application)).map(({ outcome }) => outcome)

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

  it("the runs of a job continue the trace of the caller that last started it", function*() {
    const application = yield* storePending
    const traces: Array<string> = []
    const traced = (answer: QuoteAnswer): QuoteAnswer => (request) =>
      Effect.flatMap(Effect.orDie(Effect.currentParentSpan), ({ traceId }) => {
        traces.push(traceId)
        return answer(request)
      })
    yield* setQuoteAnswers(traced(silent()), traced(offerAnswer))
    const [earlier, last] = ["0af7651916cd43dd8448eb211c80319c", "4bf92f3577b34da6a3ce929d0e0e4736"]
    yield* atomically(Effect.andThen(
      Effect.withParentSpan(startQuote(application), callerSpan(earlier)),
      Effect.withParentSpan(startQuote(application), callerSpan(last))
    ))
    yield* awaitAnswer(application)
    assert.deepStrictEqual(traces, [last, last])
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
    const partner = yield* storeRootPartner()
    const application = yield* anApplication({ at: yield* currentTimestamp }).of(partner)
    // One transaction, because a node starts the missing job of a stored record (JOB-02).
    const storeAndStart = Effect.gen(function*() {
      yield* (yield* ApplicationRepository).insert(asOperator.inScope(partner.partner_id), application)
      yield* startQuote(application)
      return yield* Effect.tap(storeContractedApplication(partner), startContract)
    })
    const rolledBack: Array<Application> = []
    yield* setQuoteAnswers(offerAnswer)
    yield* rollBack(Effect.map(storeAndStart, (contract) => rolledBack.push(contract)))
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 0)
    for (const contract of rolledBack) assert.deepStrictEqual(yield* listContractCalls(contract), [])
    // A job whose start was rolled back can be started again. The case awaits the end of its contract, because the job
    // could otherwise use up the actions of a later case.
    const contract = yield* atomically(storeAndStart)
    yield* awaitAnswer(application)
    yield* awaitState(contract, ({ proposal }) => proposal !== null && referenceOf(proposal) !== null)
  })

  it("`startQuote` runs one job per quote, even if repeated during or after the job", function*() {
    const application = yield* storePending
    const gate = Latch.makeUnsafe()
    yield* setQuoteAnswers(held(gate, offerAnswer), offerAnswer)
    const start = atomically(startQuote(application))
    yield* atomically(Effect.andThen(startQuote(application), startQuote(application)))
    yield* repeatInParallel(3, start)
    // The job of this application must get the first answer, not the other job.
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

  it("QUOTE-13 `startPatience` ends the parts of lenders whose time is over, although their own jobs do not run", function*() {
    const isEnded = (present: Application) => !outcomesOf(present).includes("PENDING")
    const completed = yield* storeAtFormerLenders(11 * 60_000, { hasOffers: true })
    const late = yield* awaitState(completed, isEnded)
    assert.deepStrictEqual([latestQuote(late).outcome, ...outcomesOf(late)], ["COMPLETED", "COMPLETED", "FAILED"])
    const pending = yield* storeAtFormerLenders(48 * 3_600_000, { hasOffers: false })
    const failed = yield* awaitState(pending, isEnded)
    assert.deepStrictEqual([latestQuote(failed).outcome, ...outcomesOf(failed)], ["FAILED", "FAILED", "FAILED"])
  })
}
