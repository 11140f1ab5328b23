import { assert, describe, it } from "@effect/vitest"
import {
  answering,
  answerWithOffers,
  PendingWork,
  requestAnotherQuote,
  saveApplication,
  ScriptedLender,
  storeApplication,
  storeContractedApplication,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Allowed } from "../../src/access/Authorization.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { DurableWork } from "../../src/origination/DurableWork.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type OfferId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { acceptOffer } from "../commands.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  loadApplication,
  outcomeOf,
  permit,
  runWithoutWorkers,
  start,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"
import { hourMs } from "../loan/examples.ts"
import { keepInstallments } from "./keepInstallments.ts"

const terms = { terms_accepted: true, ip: "203.0.113.7", user_agent: "Mozilla/5.0" }

/** Stores an application with two offers and a complete KYC. */
const storeSubmitted = Effect.fnUntraced(function*(...[partner, fields]: Parameters<typeof storeApplication>) {
  const application = yield* storeApplication(partner, fields)
  const offered = yield* saveApplication(application, yield* answerWithOffers(application))
  return yield* saveApplication(offered, submitExampleKyc(offered))
})

/** Stores an application of partner `aa` with two offers and a complete KYC. */
const setUp = Effect.gen(function*() {
  const { aa, aAdmin, b, rootAdmin, strangerAdmin } = yield* storeTwoTrees
  return {
    aa,
    b,
    rootWriting: yield* permit(yield* callerOf(rootAdmin), "fgts:write"),
    application: yield* storeSubmitted(aa, { at: yield* currentTimestamp }),
    writing: yield* permit(yield* callerOf(aAdmin), "fgts:write"),
    stranger: yield* permit(yield* callerOf(strangerAdmin), "fgts:write")
  }
})

const offerOf = (application: Application, place = 0): OfferId => {
  const offer = latestQuote(application).offers[place]
  if (offer === undefined) throw new Error(`no offer at ${place}`)
  return offer.offer_id
}

/** One offer with a registration fee of R$ 10.00. */
const withRegistrationFee = answering({
  kind: "PRICED",
  tables: [{
    code: "A",
    monthly_rate: 1.8,
    fee: { kind: "fixed", amount: centavos(10_00) },
    fee_kind: "REGISTRATION",
    balance: centavos(5_000_00),
    valid_ms: null,
    spoiled: null
  }]
})

const acceptWithTerms = (
  writing: Allowed<"fgts:write">,
  application: Application,
  offer: OfferId,
  body: unknown = terms
) => acceptOffer(writing, application.application_id, offer, body)

const unknown = "01890000-0000-7000-8000-000000000000" as OfferId

describe("acceptOffer", () => {
  it.effect("FGTS-17 T42 makes one proposal; repeated and late acceptances get the same response", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      const scripted = yield* ScriptedLender
      const first = yield* acceptWithTerms(writing, application, offerOf(application))
      const { proposal } = yield* loadApplication(application)
      assert.deepStrictEqual(first, {
        application_id: application.application_id,
        offer_id: offerOf(application),
        proposal_id: proposal?.proposal_id as never,
        status: "CONTRACTING",
        next_action: "WAIT"
      })
      yield* scripted.setContractStatus("PAID")
      yield* (yield* PendingWork).finish
      yield* TestClock.adjust("48 hours")
      const others = yield* Effect.forEach([1, 2, 3], () => acceptWithTerms(writing, application, offerOf(application)))
      for (const other of others) assert.deepStrictEqual(other, first)
      assert.deepStrictEqual(yield* (yield* PendingWork).pending, [])
      assert.strictEqual((yield* scripted.contracts).length, 1)
      const actions = (yield* auditEntriesOf(application.application_id)).map(({ action }) => action)
      assert.deepStrictEqual(actions, ["application.accept", "application.submission", "application.contract"])
    })))

  it.effect("FGTS-47 refuses the same annual withdrawals on another application of the CPF until the first contract has ended", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { aa, application, writing } = yield* setUp
      const scripted = yield* ScriptedLender
      const again = yield* storeSubmitted(aa, { at: application.created_at, customer: application.customer })
      yield* scripted.setContractStatus("AWAITING_SIGNATURE")
      yield* acceptWithTerms(writing, application, offerOf(application))
      const refused = yield* Effect.flip(acceptWithTerms(writing, again, offerOf(again)))
      assert.deepInclude(refused, { _tag: "OfferNotAvailable", reason: "EXISTING_CONTRACT" })
      assert.isNull((yield* loadApplication(again)).proposal)
      assert.deepStrictEqual(yield* auditEntriesOf(again.application_id), [])
      yield* scripted.setContractStatus("CANCELLED")
      yield* (yield* PendingWork).finish
      yield* acceptWithTerms(writing, again, offerOf(again))
      // The first application keeps its answer.
      yield* acceptWithTerms(writing, application, offerOf(application))
    })))

  it.effect("FGTS-58 FGTS-17 a registration fee is lawful once: not with or after a paid contract, even a refunded one", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { aa, application, writing } = yield* setUp
      const { created_at: at, customer } = application
      const scripted = yield* ScriptedLender
      const work = yield* PendingWork
      yield* scripted.setQuoteAnswers(withRegistrationFee)
      const quoted = Effect.gen(function*() {
        const opened = yield* storeApplication(aa, { at, customer })
        yield* (yield* DurableWork).startQuote(latestQuote(opened).quote_id)
        yield* work.finish
        const found = yield* loadApplication(opened)
        return found.quotes[0].offers.length > 0 ? yield* saveApplication(found, submitExampleKyc(found)) : found
      })
      const before = yield* quoted
      assert.strictEqual(latestQuote(before).offers[0]?.table.fee_kind, "REGISTRATION")
      yield* scripted.setContractStatus("PAID")
      yield* acceptWithTerms(writing, application, offerOf(application))
      yield* work.finish
      for (const status of ["PAID", "REFUNDED"] as const) {
        const { proposal } = yield* loadApplication(application)
        yield* scripted.moveContract(proposal?.proposal_id ?? ("" as never), status)
        yield* work.poll
        assert.strictEqual((yield* loadApplication(application)).proposal?.status, status)
        const refused = yield* Effect.flip(acceptWithTerms(writing, before, offerOf(before)))
        assert.deepInclude(refused, { _tag: "OfferNotAvailable", reason: "POLICY_CHANGED" })
        const [quote] = (yield* quoted).quotes
        assert.deepStrictEqual([quote.outcome, quote.rejection?.code], ["REJECTED", "LENDER_POLICY"])
      }
    })))

  it.effect("FGTS-58 a registration fee is lawful at a lender at which the customer had no contract yet", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { aa, application } = yield* setUp
      const { created_at: at, customer } = application
      const scripted = yield* ScriptedLender
      const work = yield* PendingWork
      const firstAt = Effect.fnUntraced(function*(lender: string) {
        const other = yield* storeContractedApplication(aa, { at, customer })
        const { proposal } = other
        assert(proposal !== null)
        const [first, ...others] = other.quotes
        const quote = { ...first, offers: first.offers.map((offer) => ({ ...offer, lender })) }
        const settled = {
          ...other,
          quotes: [quote, ...others],
          proposal: { ...proposal, status: "REFUNDED" }
        } as Application
        yield* saveApplication(other, { ...settled, version: other.version + 1 })
        yield* scripted.setQuoteAnswers(withRegistrationFee)
        const opened = yield* storeApplication(aa, { at, customer })
        yield* (yield* DurableWork).startQuote(latestQuote(opened).quote_id)
        yield* work.finish
        return (yield* loadApplication(opened)).quotes[0].outcome
      })
      assert.strictEqual(yield* firstAt("another"), "COMPLETED")
      assert.strictEqual(yield* firstAt("scripted"), "REJECTED")
    })))

  it.effect("FGTS-61 of two acceptances at once on two applications of the CPF that share no year, one succeeds", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { aa, application, writing } = yield* setUp
      const { created_at: made, customer } = application
      const first = yield* keepInstallments(application, 0, 1)
      const again = yield* keepInstallments(yield* storeSubmitted(aa, { at: made, customer }), 1)
      const outcomes = yield* Effect.all(
        [first, again].map((one) => outcomeOf(acceptWithTerms(writing, one, offerOf(one)))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes, ["done", "OfferNotAvailable"])
    })))

  it.effect("FGTS-17 a sibling and its ancestors learn of another contract only if it is in their subtree", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, b, rootWriting, writing } = yield* setUp
      const sibling = yield* storeSubmitted(b, { at: application.created_at, customer: application.customer })
      yield* acceptWithTerms(writing, application, offerOf(application))
      const own = yield* permit(yield* callerOf(yield* storeMember(b, "admin")), "fgts:write")
      const hidden = yield* Effect.flip(acceptWithTerms(own, sibling, offerOf(sibling)))
      assert.deepInclude(hidden, { _tag: "OfferNotAvailable", reason: "POLICY_CHANGED" })
      const seen = yield* Effect.flip(acceptWithTerms(rootWriting, sibling, offerOf(sibling)))
      assert.deepInclude(seen, { _tag: "OfferNotAvailable", reason: "EXISTING_CONTRACT" })
    })))

  it.effect("FGTS-17 records who accepted, when, and from which address", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      yield* acceptWithTerms(writing, application, offerOf(application, 1), {
        ...terms,
        accepted_at: "2026-01-31T08:59:00-03:00"
      })
      const { proposal } = yield* loadApplication(application)
      assert.strictEqual(proposal?.created_by, writing.caller.subject)
      assert.deepStrictEqual<unknown>(proposal?.acceptance, {
        accepted_at: "2026-01-31T11:59:00.000Z",
        ip: "203.0.113.7",
        user_agent: "Mozilla/5.0"
      })
      assert.match(proposal?.number ?? "", /^[0-9A-HJKMNP-TV-Z]{10}$/)
    })))

  it.effect("FGTS-24 accepted_at is between the completion of the quote and now", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      yield* TestClock.adjust("1 hour")
      const pending = yield* saveApplication(
        application,
        yield* requestAnotherQuote(application, yield* currentTimestamp)
      )
      yield* TestClock.adjust("8 minutes")
      const offered = yield* saveApplication(pending, yield* answerWithOffers(pending, { at: yield* currentTimestamp }))
      yield* TestClock.adjust("1 hour")
      const agreed = (accepted_at: string) =>
        acceptWithTerms(writing, offered, offerOf(offered), { ...terms, accepted_at })
      for (const accepted_at of [start, "2026-01-31T13:02:59.999Z", "2026-01-31T14:13:00.001Z"]) {
        yield* expectRefusal(agreed(accepted_at), "accepted_at OUT_OF_RANGE")
      }
      yield* agreed("2026-01-31T13:03:00.000Z")
      assert.strictEqual(
        (yield* loadApplication(application)).proposal?.acceptance.accepted_at,
        "2026-01-31T13:03:00.000Z"
      )
    })))

  it.effect("FGTS-17 T44 checks existence, hierarchy, body, the accepted offer, availability and KYC, in this order", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, stranger, writing } = yield* setUp
      const incomplete = yield* saveApplication(
        application,
        submitExampleKyc(application, { kyc: { ...application.kyc!, name: null } })
      )
      const nothing = { ...application, application_id: unknown as never }
      yield* expectRefusal(acceptWithTerms(writing, nothing, offerOf(application), {}), "NotFound")
      yield* expectRefusal(acceptWithTerms(stranger, application, unknown, {}), "OutsideHierarchy")
      yield* expectRefusal(acceptWithTerms(writing, application, unknown, {}), "NotFound")
      yield* expectRefusal(acceptWithTerms(writing, application, offerOf(application), {}), "terms_accepted REQUIRED")
      yield* expectRefusal(acceptWithTerms(writing, application, offerOf(application)), "KycIncomplete")
      yield* TestClock.adjust(24 * hourMs)
      yield* expectRefusal(acceptWithTerms(writing, application, offerOf(application)), "OfferNotAvailable")
      const again = yield* saveApplication(incomplete, yield* requestAnotherQuote(incomplete, yield* currentTimestamp))
      yield* expectRefusal(acceptWithTerms(writing, again, offerOf(application), {}), "terms_accepted REQUIRED")
      yield* expectRefusal(acceptWithTerms(writing, again, offerOf(application)), "OfferNotAvailable")
    })))

  it.effect("FGTS-17 accepting again checks the body first; another offer is declined", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      yield* acceptWithTerms(writing, application, offerOf(application))
      yield* expectRefusal(acceptWithTerms(writing, application, offerOf(application), {}), "terms_accepted REQUIRED")
      yield* expectRefusal(acceptWithTerms(writing, application, offerOf(application, 1)), "OfferNotAvailable")
    })))

  it.effect("T42 one of many concurrent acceptances makes the proposal", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      const offers = Array.from({ length: 10 }, (_, index) => offerOf(application, index % 2))
      const outcomes = yield* Effect.forEach(
        offers,
        (offer) => outcomeOf(acceptWithTerms(writing, application, offer)),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(outcomes.toSorted(), [
        ...Array.from({ length: 5 }, () => "OfferNotAvailable"),
        ...Array.from({ length: 5 }, () => "done")
      ])
      yield* (yield* PendingWork).finish
      assert.strictEqual((yield* (yield* ScriptedLender).contracts).length, 1)
    })))

  it.effect("T43 an offer that expired before the last event stays expired when the clock goes back", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      const end = Date.parse(application.updated_at) + 24 * hourMs
      yield* TestClock.setTime(end + 1)
      yield* saveApplication(
        application,
        submitExampleKyc(application, {
          at: yield* currentTimestamp,
          kyc: { ...application.kyc!, civil_status: "WIDOWED" }
        })
      )
      yield* TestClock.setTime(end - hourMs)
      yield* expectRefusal(acceptWithTerms(writing, application, offerOf(application)), "OfferNotAvailable")
    })))
})
