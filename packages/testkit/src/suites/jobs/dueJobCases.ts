import { latestQuote, referenceOf } from "@lastro/domain/loan"
import { addMillis, currentTimestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Latch } from "effect"
import { recordContractStatus } from "../../builders/applicationStages.ts"
import { freshId } from "../../builders/Fresh.ts"
import { saveApplication, storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { held, pending, type QuoteAnswer, silent } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { proposalIdOf, requireContracted } from "../suite/storedRecords.ts"
import { atomically, rollBack } from "../suite/transactions.ts"
import {
  awaitAnswer,
  awaitRequests,
  awaitState,
  countQuoteRequests,
  type DurableWorkPorts,
  inAnHour,
  isAnswered,
  makeDue,
  makeQuoteDue,
  offerAnswer,
  requestsOf,
  runOtherJob,
  setQuoteAnswers,
  startContract,
  startPending,
  startQuote,
  startRequested,
  statesOf,
  storePending
} from "./observedWork.ts"

/** Answers PENDING, with a request to ask again at once. */
const pendingNow: QuoteAnswer = (request) =>
  Effect.flatMap(currentTimestamp, (look_at) => pending("state of the lender", { look_at })(request))

/** Repeats an effect, which can be too early, until the latest quote of an application has an outcome. */
const repeatUntilAnswered = Effect.fnUntraced(function*<E, R>(
  application: Parameters<typeof awaitState>[0],
  effect: Effect.Effect<unknown, E, R>
) {
  while (!isAnswered(yield* awaitState(application, () => true))) {
    yield* Effect.andThen(effect, Effect.sleep("20 millis"))
  }
})

/** Contract cases for DurableWork: jobs that wait, and `makeDue`. Requires the scripted lender. */
export const dueJobCases: ContractCases<DurableWorkPorts> = (it) => {
  it("LENDER-06 a PENDING answer is stored with the job, which requests the quote again at the time in the answer", function*() {
    const application = yield* startPending(pendingNow, offerAnswer)
    yield* awaitAnswer(application)
    assert.deepStrictEqual(
      (yield* requestsOf(application)).map(({ attempt, lender_state }) => [attempt, lender_state]),
      [[1, null], [1, "state of the lender"]]
    )
  })

  it("a second `startQuote` ends the wait of the job, however long it is", function*() {
    const application = yield* startRequested(pending("state", { look_at: yield* inAnHour }), offerAnswer)
    yield* repeatUntilAnswered(application, atomically(startQuote(application)))
  })

  it("JOB-05 `makeDue` runs a waiting quote at once, by its id or its callback key, and keeps its progress", function*() {
    const look_at = yield* inAnHour
    for (const by of ["id", "callback_key"] as const) {
      const callback_key = yield* freshId
      const application = yield* startRequested(pending("kept", { look_at, callback_key }), offerAnswer)
      const due = by === "id" ? makeQuoteDue(application) : makeDue({ kind: "quote", callback_key })
      yield* repeatUntilAnswered(application, due)
      assert.deepStrictEqual(yield* statesOf(application), [null, "kept"])
    }
  })

  it("`makeDue` runs a waiting contract at once", function*() {
    const lender = yield* ScriptedLender
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    const proposal_id = proposalIdOf(contract)
    yield* lender.setActions("done")
    yield* lender.setContractStatus("AWAITING_SIGNATURE")
    yield* atomically(startContract(contract))
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "AWAITING_SIGNATURE")
    yield* lender.moveContract(proposal_id, "PAID")
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "PAID")
    // A paid contract is rarely polled, so only `makeDue` lets its job run soon.
    yield* lender.moveContract(proposal_id, "CANCELLED")
    yield* makeDue({ kind: "contract", id: proposal_id })
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "REFUNDED")
  })

  it("PROP-17 `makeDue` polls a contract that was paid long ago, and SETTLED is recorded with the lender's time", function*() {
    const lender = yield* ScriptedLender
    const at = addMillis(yield* currentTimestamp, -60 * 86_400_000)
    const accepted = yield* storeContractedApplication(yield* storeRootPartner(), { at })
    const contract = requireContracted(yield* saveApplication(accepted, recordContractStatus(accepted, "PAID")))
    const { application_id, proposal } = contract
    const { proposal_id } = proposal
    const reference = referenceOf(proposal) ?? ""
    const state = { reference, status: "PAID", signature_url: null, rejection: null, disbursement_attempt: 1 } as const
    yield* lender.addContract({ application_id, proposal_id, contract: state, payments: [proposal.disbursement] })
    yield* atomically(startContract(contract))
    yield* setQuoteAnswers(offerAnswer)
    yield* runOtherJob
    const settled_at = addMillis(at, 86_400_000)
    yield* lender.moveContract(proposal_id, "SETTLED", { settled_at })
    // The job waits for the next due date, so only `makeDue` lets it poll now.
    yield* makeDue({ kind: "contract", id: proposal_id })
    const settled = yield* awaitState(contract, ({ proposal }) => proposal?.status === "SETTLED")
    assert.deepInclude(settled.proposal, { status: "SETTLED" as const, settled_at })
  })

  it("JOB-05 many calls of `makeDue` during a run lead to one further run", function*() {
    const gate = Latch.makeUnsafe()
    const answer = pending("state", { look_at: yield* inAnHour })
    const application = yield* startRequested(held(gate, answer), answer, offerAnswer)
    const due = makeQuoteDue(application)
    yield* Effect.forEach(Array.from({ length: 50 }), () => due, { concurrency: 5, discard: true })
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* gate.open
    yield* awaitRequests(application, 2)
    yield* setQuoteAnswers(offerAnswer)
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })

  it("`makeDue` stores the `lender_state` of its target, which the next run gets", function*() {
    const look_at = yield* inAnHour
    for (const by of ["id", "callback_key"] as const) {
      const callback_key = yield* freshId
      const application = yield* startRequested(pending("of the answer", { look_at, callback_key }), offerAnswer)
      const lender_state = `of the callback of ${callback_key}`
      const due = by === "id"
        ? makeQuoteDue(application, { lender_state })
        : makeDue({ kind: "quote", callback_key, lender_state })
      yield* repeatUntilAnswered(application, due)
      assert.deepStrictEqual(yield* statesOf(application), [null, lender_state])
    }
  })

  it("a `lender_state` that `makeDue` stores during a run is not replaced by the outcome of the run", function*() {
    const look_at = yield* inAnHour
    for (const answer of [pending("of the answer", { look_at }), silent()]) {
      const gate = Latch.makeUnsafe()
      const application = yield* startRequested(held(gate, answer), offerAnswer)
      yield* makeQuoteDue(application, { lender_state: "of the callback" })
      yield* gate.open
      yield* awaitAnswer(application)
      assert.deepStrictEqual(yield* statesOf(application), [null, "of the callback"])
    }
  })

  it("`makeDue` stores a `lender_state` even if the job is not made due again, and the last stored state counts", function*() {
    const gate = Latch.makeUnsafe()
    const waiting = pending("of the answer", { look_at: yield* inAnHour })
    const application = yield* startRequested(held(gate, waiting), offerAnswer)
    for (const lender_state of ["first", "second", "third"]) yield* makeQuoteDue(application, { lender_state })
    yield* makeQuoteDue(application)
    yield* gate.open
    yield* awaitAnswer(application)
    assert.deepStrictEqual(yield* statesOf(application), [null, "third"])
  })

  it("`makeDue` ignores targets without a job, and joins the surrounding transaction", function*() {
    const application = yield* storePending
    const id = latestQuote(application).quote_id
    yield* makeDue({ kind: "quote", id })
    yield* makeDue({ kind: "quote", callback_key: yield* freshId })
    yield* setQuoteAnswers(pending("state", { look_at: yield* inAnHour }), offerAnswer)
    yield* atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    yield* runOtherJob
    yield* rollBack(makeQuoteDue(application, { lender_state: "rolled back" }))
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* makeDue({ kind: "quote", id })
    yield* awaitAnswer(application)
    assert.strictEqual((yield* statesOf(application)).at(-1), "state")
  })
}

/**
 * Contract cases for DurableWork: callbacks that arrive before the PENDING answer with their key is stored. Requires
 * the scripted lender.
 */
export const earlyCallbackCases: ContractCases<DurableWorkPorts> = (it) => {
  it("LENDER-22 a callback that is earlier than the PENDING answer with its key makes the quote due once the answer is stored", function*() {
    const look_at = yield* inAnHour
    for (const fields of [{}, { lender_state: "of the callback" }]) {
      const callback_key = yield* freshId
      const gate = Latch.makeUnsafe()
      const answer = held(gate, pending("of the answer", { look_at, callback_key }))
      const application = yield* startRequested(answer, offerAnswer)
      yield* makeDue({ kind: "quote", callback_key, ...fields })
      yield* gate.open
      yield* awaitAnswer(application)
      assert.deepStrictEqual(yield* statesOf(application), [null, fields.lender_state ?? "of the answer"])
    }
  })

  it("LENDER-22 a callback whose transaction commits after the PENDING answer was returned makes the quote due", function*() {
    const callback_key = yield* freshId
    const gate = Latch.makeUnsafe()
    const answer = held(gate, pending("of the answer", { look_at: yield* inAnHour, callback_key }))
    const application = yield* startRequested(answer, offerAnswer)
    yield* atomically(
      makeDue({ kind: "quote", callback_key }).pipe(
        Effect.andThen(gate.open),
        Effect.andThen(Effect.sleep("100 millis"))
      )
    )
    yield* awaitAnswer(application)
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })

  it("LENDER-22 an answer with the key that the quote already has, or a rolled-back callback, does not make the quote due again", function*() {
    const callback_key = yield* freshId
    const answer = pending("state", { look_at: yield* inAnHour, callback_key })
    yield* rollBack(makeDue({ kind: "quote", callback_key }))
    const application = yield* startRequested(answer)
    yield* setQuoteAnswers(offerAnswer)
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* setQuoteAnswers(answer)
    yield* makeDue({ kind: "quote", callback_key })
    yield* awaitRequests(application, 2)
    yield* setQuoteAnswers(offerAnswer)
    yield* runOtherJob
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })
}
