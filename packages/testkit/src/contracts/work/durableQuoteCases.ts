import { ApplicationRepository, asOperator, DurableWork, latestQuote, now, UnitOfWork } from "@lastro/domain"
import { assert } from "chai"
import { Effect, Exit, Latch } from "effect"
import { anApplication } from "../../given/anApplication.ts"
import { givenContract, givenRoot } from "../../given/storedRecords.ts"
import { held, silent } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { requireContracted } from "../application/storedApplication.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import {
  afterOtherWork,
  contractsAsked,
  eventually,
  givenPending,
  isAnswered,
  net,
  offers,
  quotesAsked,
  startQuote,
  type WorkUnderTest
} from "./observedWork.ts"

/** The contract of DurableWork, but for what is left of it after a crash; the layer's lender is the scripted one. */
export const durableQuoteCases: ContractCases<WorkUnderTest> = (it) => {
  it("once the transaction around it has committed a quote is run until it ends", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const partner = yield* givenRoot()
      const application = yield* anApplication({ at: yield* now }).of(partner)
      yield* lender.answersQuotes(silent(), offers)
      yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* (yield* ApplicationRepository).insert(asOperator.inScope(partner.partner_id), application)
        yield* startQuote(application)
      }))
      const after = yield* eventually(application, isAnswered)
      assert.deepStrictEqual(latestQuote(after).offers.map(({ terms }) => terms.net_amount), [net])
      assert.strictEqual(yield* quotesAsked(application), 2)
    }))

  it("before the transaction commits nothing of it is done", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const partner = yield* givenRoot()
      const application = yield* givenPending(partner)
      yield* lender.answersQuotes(offers)
      yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* startQuote(application)
        yield* Effect.sleep("100 millis")
        assert.strictEqual(yield* quotesAsked(application), 0)
      }))
      yield* eventually(application, isAnswered)
    }))

  it("when the transaction is undone, so is the work", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const partner = yield* givenRoot()
      const application = yield* givenPending(partner)
      const contract = yield* givenContract(partner)
      yield* lender.answersQuotes(offers)
      const exit = yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* startQuote(application)
        yield* (yield* DurableWork).startContract(requireContracted(contract).proposal.proposal_id, 1)
        return yield* Effect.die("undone")
      })))
      assert.deepStrictEqual(exit, Exit.die("undone"))
      yield* afterOtherWork(partner)
      assert.strictEqual(yield* quotesAsked(application), 0)
      assert.deepStrictEqual(yield* contractsAsked(contract), [])
      // What was undone is not remembered as started.
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      yield* eventually(application, isAnswered)
    }))

  it("the same quote is started once, however often it is asked for, during the work and after it", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const unit = yield* UnitOfWork
      const partner = yield* givenRoot()
      const application = yield* givenPending(partner)
      const gate = Latch.makeUnsafe()
      yield* lender.answersQuotes(held(gate, offers), offers)
      const start = unit.atomically(startQuote(application))
      yield* unit.atomically(Effect.andThen(startQuote(application), startQuote(application)))
      yield* Effect.all([start, start, start], { concurrency: "unbounded" })
      yield* afterOtherWork(partner)
      assert.strictEqual(yield* quotesAsked(application), 1)
      yield* gate.open
      yield* eventually(application, isAnswered)
      yield* start
      yield* afterOtherWork(partner)
      assert.strictEqual(yield* quotesAsked(application), 1)
    }))

  it("works are done beside each other: one that waits for the lender holds up no other", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const partner = yield* givenRoot()
      const application = yield* givenPending(partner)
      const gate = Latch.makeUnsafe()
      yield* lender.answersQuotes(held(gate, offers), offers)
      yield* (yield* UnitOfWork).atomically(startQuote(application))
      while ((yield* quotesAsked(application)) === 0) yield* Effect.sleep("10 millis")
      yield* afterOtherWork(partner)
      yield* gate.open
      yield* eventually(application, isAnswered)
    }))
}
