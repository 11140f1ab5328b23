import { assert, describe, it } from "@effect/vitest"
import { applicationStatus, type FgtsApplication } from "@lastro/domain/fgts"
import { type Allowed, authorize } from "@lastro/domain/identity"
import {
  acceptOffer,
  ApplicationRepository,
  createApplication,
  pollDueContracts,
  submitKyc
} from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { currentTimestamp } from "@lastro/domain/time"
import {
  aCaller,
  aCompleteKyc,
  aCustomer,
  layerMemory,
  layerMemoryByHand,
  PendingWork,
  ScriptedLender,
  silent,
  storeRootPartner
} from "@lastro/testkit"
import { kycBody } from "@lastro/testkit/arbitraries"
import { Effect, Option, Result } from "effect"
import { TestClock } from "effect/testing"

const start = Date.UTC(2026, 0, 31, 12)

const inMemory = (layer: typeof layerMemory) => <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.andThen(TestClock.setTime(start), test), layer, { local: true })

const may = (root: PartnerDetail): Allowed<"fgts:write"> =>
  Result.getOrThrow(authorize(aCaller().at(root).asClient().build(), "fgts:write"))

const open = Effect.fnUntraced(function*(root: PartnerDetail) {
  const { birth_date, cpf, name } = yield* aCustomer()
  return yield* createApplication(may(root), { external_id: "x", customer: { cpf, birth_date, name } })
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
  return yield* acceptOffer(may(root), application_id, offer.offer_id, { terms_accepted: true })
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
      assert.deepStrictEqual(yield* work.pending, [{ _tag: "Quote", quote_id: application.quote.quote_id }])
      yield* work.finish
      assert.strictEqual(yield* statusOf(application), "QUOTED")
      const { proposal_id } = yield* accept(root, application)
      assert.deepStrictEqual(yield* work.pending, [{ _tag: "Contract", proposal_id, attempt: 1 }])
      yield* work.finish
      yield* lender.moveContract(proposal_id, "PAID")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* statusOf(application), "CONTRACTING")
      assert.strictEqual(yield* pollDueContracts(), 1)
      assert.strictEqual(yield* statusOf(application), "CONTRACTED")
    }).pipe(inMemory(layerMemoryByHand)))
})
