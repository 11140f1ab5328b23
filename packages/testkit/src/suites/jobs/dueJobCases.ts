import { latestQuote } from "@lastro/domain/loan"
import { DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Exit, Latch } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { held, pending, type QuoteAnswer, silent } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { requireContracted } from "../suite/storedRecords.ts"
import {
  awaitRequests,
  awaitState,
  countQuoteRequests,
  type DurableWorkPorts,
  inAnHour,
  isAnswered,
  makeDue,
  offerAnswer,
  requestsOf,
  runOtherJob,
  startQuote,
  storePending
} from "./observedWork.ts"

/** Answers PENDING. The job requests the quote again at once. */
const soon: QuoteAnswer = (request) =>
  Effect.flatMap(currentTimestamp, (look_at) => pending("state of the lender", { look_at })(request))

/** Contract cases for DurableWork: jobs whose lender calls back. Requires the scripted lender. */
export const dueJobCases: ContractCases<DurableWorkPorts> = (it) => {
  it("LENDER-06 a PENDING answer is stored with the job, which requests the quote again at the time in the answer", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    yield* (yield* ScriptedLender).setQuoteAnswers(soon, offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitState(application, isAnswered)
    assert.deepStrictEqual(
      (yield* requestsOf(application)).map(({ attempt, lender_state }) => [attempt, lender_state]),
      [[1, null], [1, "state of the lender"]]
    )
  })

  it("a second `startQuote` ends the wait of the job, however long it is", function*() {
    const application = yield* storePending(yield* storeRootPartner())
    const look_at = yield* inAnHour
    yield* (yield* ScriptedLender).setQuoteAnswers(pending("state", { look_at }), offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    // The answer is stored some time after the request.
    while (!isAnswered(yield* awaitState(application, () => true))) {
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      yield* Effect.sleep("20 millis")
    }
  })

  it("JOB-05 `makeDue` runs a waiting quote at once, by its id or its callback key, and keeps its progress", function*() {
    const partner = yield* storeRootPartner()
    const look_at = yield* inAnHour
    for (const by of ["id", "callback_key"] as const) {
      const application = yield* storePending(partner)
      const callback_key = yield* freshId
      yield* (yield* ScriptedLender).setQuoteAnswers(pending("kept", { look_at, callback_key }), offerAnswer)
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      yield* awaitRequests(application, 1)
      const target = by === "id"
        ? { kind: "quote", id: latestQuote(application).quote_id } as const
        : { kind: "quote", callback_key } as const
      // The answer is stored some time after the request.
      while (!isAnswered(yield* awaitState(application, () => true))) {
        yield* makeDue(target)
        yield* Effect.sleep("20 millis")
      }
      assert.deepStrictEqual((yield* requestsOf(application)).map(({ lender_state }) => lender_state), [null, "kept"])
    }
  })

  it("`makeDue` runs a waiting contract at once", function*() {
    const lender = yield* ScriptedLender
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    const { proposal_id } = requireContracted(contract).proposal
    yield* lender.setActions("done")
    yield* lender.setContractStatus("AWAITING_SIGNATURE")
    yield* (yield* UnitOfWork).atomically((yield* DurableWork).startContract(proposal_id))
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "AWAITING_SIGNATURE")
    yield* lender.moveContract(proposal_id, "PAID")
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "PAID")
    // A paid contract is polled rarely. Its job therefore runs soon only because of `makeDue`.
    yield* lender.moveContract(proposal_id, "CANCELLED")
    yield* makeDue({ kind: "contract", id: proposal_id })
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "REFUNDED")
  })

  it("JOB-05 many calls of `makeDue` during a run lead to one further run", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const look_at = yield* inAnHour
    const gate = Latch.makeUnsafe()
    const answer = pending("state", { look_at })
    yield* (yield* ScriptedLender).setQuoteAnswers(held(gate, answer), answer, offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    const target = { kind: "quote", id: latestQuote(application).quote_id } as const
    yield* Effect.forEach(Array.from({ length: 50 }), () => makeDue(target), { concurrency: 5, discard: true })
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* gate.open
    yield* awaitRequests(application, 2)
    yield* (yield* ScriptedLender).setQuoteAnswers(offerAnswer)
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })

  it("`makeDue` stores the `lender_state` of its target, which the next run gets", function*() {
    const partner = yield* storeRootPartner()
    const look_at = yield* inAnHour
    for (const by of ["id", "callback_key"] as const) {
      const application = yield* storePending(partner)
      const callback_key = yield* freshId
      yield* (yield* ScriptedLender).setQuoteAnswers(pending("of the answer", { look_at, callback_key }), offerAnswer)
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      yield* awaitRequests(application, 1)
      const lender_state = `of the callback of ${callback_key}`
      const target = by === "id"
        ? { kind: "quote", id: latestQuote(application).quote_id, lender_state } as const
        : { kind: "quote", callback_key, lender_state } as const
      // The key of the answer is stored some time after the request.
      while (!isAnswered(yield* awaitState(application, () => true))) {
        yield* makeDue(target)
        yield* Effect.sleep("20 millis")
      }
      const states = (yield* requestsOf(application)).map((request) => request.lender_state)
      assert.deepStrictEqual(states, [null, lender_state])
    }
  })

  it("a `lender_state` that `makeDue` stores during a run is not replaced by the outcome of the run", function*() {
    const partner = yield* storeRootPartner()
    const look_at = yield* inAnHour
    for (const answer of [pending("of the answer", { look_at }), silent()]) {
      const application = yield* storePending(partner)
      const gate = Latch.makeUnsafe()
      yield* (yield* ScriptedLender).setQuoteAnswers(held(gate, answer), offerAnswer)
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      yield* awaitRequests(application, 1)
      yield* makeDue({ kind: "quote", id: latestQuote(application).quote_id, lender_state: "of the callback" })
      yield* gate.open
      yield* awaitState(application, isAnswered)
      const states = (yield* requestsOf(application)).map(({ lender_state }) => lender_state)
      assert.deepStrictEqual(states, [null, "of the callback"])
    }
  })

  it("`makeDue` stores a `lender_state` even if the job is not made due again, and the last stored state counts", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const look_at = yield* inAnHour
    const gate = Latch.makeUnsafe()
    const waiting = pending("of the answer", { look_at })
    yield* (yield* ScriptedLender).setQuoteAnswers(held(gate, waiting), offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    for (const lender_state of ["first", "second", "third"]) {
      yield* makeDue({ kind: "quote", id: latestQuote(application).quote_id, lender_state })
    }
    yield* makeDue({ kind: "quote", id: latestQuote(application).quote_id })
    yield* gate.open
    yield* awaitState(application, isAnswered)
    const states = (yield* requestsOf(application)).map(({ lender_state }) => lender_state)
    assert.deepStrictEqual(states, [null, "third"])
  })

  it("`makeDue` ignores targets without a job, and joins the surrounding transaction", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const id = latestQuote(application).quote_id
    yield* makeDue({ kind: "quote", id })
    yield* makeDue({ kind: "quote", callback_key: yield* freshId })
    const look_at = yield* inAnHour
    yield* (yield* ScriptedLender).setQuoteAnswers(pending("state", { look_at }), offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    yield* runOtherJob(partner)
    const rolledBack = (yield* UnitOfWork).atomically(
      Effect.andThen(makeDue({ kind: "quote", id, lender_state: "rolled back" }), Effect.die("rollback"))
    )
    assert.deepStrictEqual(yield* Effect.exit(rolledBack), Exit.die("rollback"))
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* makeDue({ kind: "quote", id })
    yield* awaitState(application, isAnswered)
    assert.strictEqual((yield* requestsOf(application)).at(-1)?.lender_state, "state")
  })
}

/**
 * Contract cases for DurableWork: callbacks that arrive before the PENDING answer with their key is stored. Requires the scripted lender.
 */
export const earlyCallbackCases: ContractCases<DurableWorkPorts> = (it) => {
  it("LENDER-22 a callback that is earlier than the PENDING answer with its key makes the quote due once the answer is stored", function*() {
    const partner = yield* storeRootPartner()
    const look_at = yield* inAnHour
    for (const brought of [{}, { lender_state: "of the callback" }]) {
      const application = yield* storePending(partner)
      const callback_key = yield* freshId
      const gate = Latch.makeUnsafe()
      const answer = held(gate, pending("of the answer", { look_at, callback_key }))
      yield* (yield* ScriptedLender).setQuoteAnswers(answer, offerAnswer)
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      yield* awaitRequests(application, 1)
      yield* makeDue({ kind: "quote", callback_key, ...brought })
      yield* gate.open
      yield* awaitState(application, isAnswered)
      const states = (yield* requestsOf(application)).map(({ lender_state }) => lender_state)
      assert.deepStrictEqual(states, [null, brought.lender_state ?? "of the answer"])
    }
  })

  it("LENDER-22 a callback whose transaction commits after the PENDING answer was returned makes the quote due", function*() {
    const application = yield* storePending(yield* storeRootPartner())
    const callback_key = yield* freshId
    const gate = Latch.makeUnsafe()
    const answer = held(gate, pending("of the answer", { look_at: yield* inAnHour, callback_key }))
    yield* (yield* ScriptedLender).setQuoteAnswers(answer, offerAnswer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    yield* (yield* UnitOfWork).atomically(
      makeDue({ kind: "quote", callback_key }).pipe(
        Effect.andThen(gate.open),
        Effect.andThen(Effect.sleep("100 millis"))
      )
    )
    yield* awaitState(application, isAnswered)
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })

  it("LENDER-22 an answer with the key that the quote already has, or a rolled-back callback, does not make the quote due again", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* storePending(partner)
    const callback_key = yield* freshId
    const lender = yield* ScriptedLender
    const answer = pending("state", { look_at: yield* inAnHour, callback_key })
    const rolledBack = (yield* UnitOfWork).atomically(
      Effect.andThen(makeDue({ kind: "quote", callback_key }), Effect.die("rollback"))
    )
    assert.deepStrictEqual(yield* Effect.exit(rolledBack), Exit.die("rollback"))
    yield* lender.setQuoteAnswers(answer)
    yield* (yield* UnitOfWork).atomically(startQuote(application))
    yield* awaitRequests(application, 1)
    yield* lender.setQuoteAnswers(offerAnswer)
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 1)
    yield* lender.setQuoteAnswers(answer)
    yield* makeDue({ kind: "quote", callback_key })
    yield* awaitRequests(application, 2)
    yield* lender.setQuoteAnswers(offerAnswer)
    yield* runOtherJob(partner)
    assert.strictEqual(yield* countQuoteRequests(application), 2)
  })
}
