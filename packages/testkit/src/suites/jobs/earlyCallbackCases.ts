import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, Exit, Latch } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { held, pending } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
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
