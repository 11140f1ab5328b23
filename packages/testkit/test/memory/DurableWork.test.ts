import { assert, describe, it } from "@effect/vitest"
import { type Allowed, authorize } from "@lastro/domain/access"
import { failureDelayMs } from "@lastro/domain/jobs"
import { Lender } from "@lastro/domain/lender"
import { applicationStatus } from "@lastro/domain/loan"
import {
  acceptOffer,
  ApplicationRepository,
  createApplication,
  DurableWork,
  type FgtsApplication,
  submitKyc
} from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import {
  aCaller,
  aCompleteKyc,
  aCustomer,
  layerMemory,
  layerMemoryByHand,
  layerMemoryNoLender,
  layerScriptedLender,
  type LenderCall,
  PendingWork,
  ScriptedLender,
  silent,
  storeRootPartner,
  usualAnswer
} from "@lastro/testkit"
import { kycBody } from "@lastro/testkit/arbitraries"
import { Clock, Context, Effect, Latch, Layer, Logger, Option, Result } from "effect"
import { TestClock } from "effect/testing"

const start = Date.UTC(2026, 0, 31, 12)

/** Holds the lender's answers to polls while it is closed. */
class PollGate
  extends Context.Service<PollGate, Latch.Latch>()("@lastro/testkit/test/memory/DurableWork.test/PollGate")
{}

const layerHoldingLender = Layer.effect(
  Lender,
  Effect.gen(function*() {
    const lender = yield* Lender
    const gate = yield* PollGate
    return Lender.of({ ...lender, contract: (reference) => Effect.tap(lender.contract(reference), () => gate.await) })
  })
)

const layerMemoryHoldingPolls = layerMemoryNoLender.pipe(
  Layer.provideMerge(layerHoldingLender),
  Layer.provideMerge(layerScriptedLender),
  Layer.provideMerge(Layer.sync(PollGate, () => Latch.makeUnsafe(true)))
)

const inMemory = <P>(layer: Layer.Layer<P>) => <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.andThen(TestClock.setTime(start), test), layer, { local: true })

const may = (root: PartnerDetail): Allowed<"fgts:write"> =>
  Result.getOrThrow(authorize(aCaller().at(root).asClient().build(), "fgts:write"))

const open = Effect.fnUntraced(function*(root: PartnerDetail) {
  const { birth_date, cpf, name } = yield* aCustomer()
  return (yield* createApplication(may(root), { external_id: "x", customer: { cpf, birth_date, name } })).answer
})

const present = Effect.fnUntraced(function*({ quote }: FgtsApplication) {
  return Option.getOrThrow(yield* (yield* ApplicationRepository).ofQuote(quote.quote_id))
})

const statusOf = Effect.fnUntraced(function*(application: FgtsApplication) {
  return applicationStatus(yield* present(application), yield* currentTimestamp)
})

const accept = Effect.fnUntraced(function*(root: PartnerDetail, application: FgtsApplication) {
  const { customer, quotes: [{ offers: [offer] }] } = yield* present(application)
  if (offer === undefined) throw new Error("The quote has no offer.")
  const { application_id } = application
  yield* submitKyc(may(root), application_id, kycBody(aCompleteKyc().for(customer).build()))
  return (yield* acceptOffer(may(root), application_id, offer.offer_id, { terms_accepted: true })).answer
})

describe("durable jobs in memory", () => {
  it.effect("quote and contract jobs run by themselves", () =>
    Effect.gen(function*() {
      const work = yield* PendingWork
      const lender = yield* ScriptedLender
      const root = yield* storeRootPartner()
      const application = yield* open(root)
      assert.strictEqual(yield* statusOf(application), "QUOTING")
      yield* work.finish
      assert.strictEqual(yield* statusOf(application), "QUOTED")
      const { proposal_id } = yield* accept(root, application)
      yield* work.finish
      assert.strictEqual((yield* present(application)).proposal?.status, "AWAITING_SIGNATURE")
      yield* lender.moveContract(proposal_id, "PAID")
      assert.strictEqual(yield* statusOf(application), "CONTRACTING")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusOf(application), "CONTRACTED")
      assert.deepStrictEqual(yield* work.pending, [])
    }).pipe(inMemory(layerMemory)))

  it.effect("polls an idle contract less and less often", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const root = yield* storeRootPartner()
      const application = yield* open(root)
      const work = yield* PendingWork
      yield* work.finish
      yield* accept(root, application)
      yield* work.finish
      yield* TestClock.adjust("30 days")
      const polls = (yield* lender.calls).filter(({ _tag }) => _tag === "Contract").length
      assert.isAbove(polls, 100)
      assert.isBelow(polls, 4_000)
    }).pipe(inMemory(layerMemory)))

  it.effect("retries a lender that does not answer", () =>
    Effect.gen(function*() {
      yield* (yield* ScriptedLender).setQuoteAnswers(silent())
      const application = yield* open(yield* storeRootPartner())
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* statusOf(application), "QUOTE_FAILED")
    }).pipe(inMemory(layerMemory)))

  it.effect("layerMemoryByHand runs no job before finish, and then all", () =>
    Effect.gen(function*() {
      const work = yield* PendingWork
      const lender = yield* ScriptedLender
      const root = yield* storeRootPartner()
      const application = yield* open(root)
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* lender.calls, [])
      assert.deepStrictEqual(yield* work.pending, [{ kind: "quote", id: application.quote.quote_id }])
      yield* work.finish
      assert.strictEqual(yield* statusOf(application), "QUOTED")
      const { proposal_id } = yield* accept(root, application)
      assert.deepStrictEqual(yield* work.pending, [{ kind: "contract", id: proposal_id }])
      yield* work.finish
      yield* lender.moveContract(proposal_id, "PAID")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* statusOf(application), "CONTRACTING")
      assert.strictEqual(yield* work.poll, 1)
      assert.strictEqual(yield* statusOf(application), "CONTRACTED")
      assert.strictEqual(yield* work.poll, 1, "a paid contract is observed")
      yield* TestClock.adjust("10 days")
      assert.strictEqual(yield* work.poll, 1, "for ten days")
      assert.strictEqual(yield* work.poll, 1, "and until its settlement")
      yield* lender.moveContract(proposal_id, "SETTLED")
      assert.strictEqual(yield* work.poll, 1)
      assert.strictEqual(yield* work.poll, 0, "then its job has ended")
    }).pipe(inMemory(layerMemoryByHand)))

  it.effect("a failed run is repeated with the same attempt after a growing delay, and delays no other job", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const root = yield* storeRootPartner()
      const failed: Array<readonly [at: number, attempt: number]> = []
      let first: string | undefined
      yield* lender.setQuoteAnswers((request) => {
        first ??= request.application_id
        if (request.application_id !== first || failed.length === 12) return usualAnswer(request)
        return Effect.flatMap(Clock.currentTimeMillis, (at) => {
          failed.push([at, request.attempt])
          return Effect.die("broken")
        })
      })
      const broken = yield* open(root)
      const other = yield* open(root)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([yield* statusOf(broken), yield* statusOf(other)], ["QUOTING", "QUOTED"])
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* statusOf(broken), "QUOTED")
      assert.deepStrictEqual(new Set(failed.map(([, attempt]) => attempt)), new Set([1]))
      for (const [index, [at]] of failed.slice(1).entries()) {
        assert.approximately(at - failed[index]![0], failureDelayMs(broken.quote.quote_id, index + 1), 1)
      }
    }).pipe(Effect.provide(Logger.layer([])), inMemory(layerMemory)))

  it.effect("a job that waits runs at once if it is started again", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const work = yield* PendingWork
      const root = yield* storeRootPartner()
      const application = yield* open(root)
      yield* work.finish
      const { proposal_id } = yield* accept(root, application)
      yield* TestClock.adjust("10 hours")
      yield* lender.moveContract(proposal_id, "GUARANTEE_PENDING")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* present(application)).proposal?.status, "AWAITING_SIGNATURE")
      yield* (yield* UnitOfWork).atomically((yield* DurableWork).startContract(proposal_id))
      yield* work.finish
      assert.strictEqual((yield* present(application)).proposal?.status, "GUARANTEE_PENDING")
      assert.strictEqual((yield* lender.calls).filter(({ _tag }) => _tag === "Submit").length, 1)
    }).pipe(inMemory(layerMemory)))

  it.effect("a job that is started again while it runs, runs once more at once", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      const gate = yield* PollGate
      const work = yield* PendingWork
      const root = yield* storeRootPartner()
      const application = yield* open(root)
      yield* work.finish
      yield* lender.setContractStatus("DISBURSEMENT_FAILED")
      yield* accept(root, application)
      yield* work.finish
      const count = (tag: LenderCall["_tag"]) =>
        Effect.map(lender.calls, (calls) => calls.filter(({ _tag }) => _tag === tag).length)
      const before = yield* count("Contract")
      yield* gate.close
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* count("Contract"), before + 1, "the job is polling")
      const pix = { type: "EMAIL", key: "ana@example.com" }
      yield* submitKyc(may(root), application.application_id, { disbursement_method: "PIX", pix })
      assert.strictEqual(yield* count("Resubmit"), 0)
      yield* lender.setContractStatus("PAID")
      yield* gate.open
      yield* work.finish
      assert.strictEqual(yield* count("Resubmit"), 1)
      assert.strictEqual(yield* statusOf(application), "CONTRACTED")
    }).pipe(inMemory(layerMemoryHoldingPolls)))
})
