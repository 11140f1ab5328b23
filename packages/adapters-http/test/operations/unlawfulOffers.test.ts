import { assert, describe, it } from "@effect/vitest"
import { type PricedOffer } from "@lastro/domain/offer"
import { calendarDate, percent } from "@lastro/domain/values"
import {
  type OfferedFor,
  PendingWork,
  type QuoteAnswer,
  ScriptedLender,
  spoilOffer,
  storeRootPartner,
  usualAnswer
} from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, problemsOf } from "../client.ts"
import { withServer } from "../harness.ts"
import { givenOpened, givenVoice, offersOf } from "../origination.ts"

const finish = Effect.flatMap(PendingWork, ({ finish }) => finish)

/** The usual answer with changed offers. */
const changed =
  (change: (terms: PricedOffer, request: OfferedFor) => PricedOffer | undefined): QuoteAnswer => (request) =>
    Effect.map(usualAnswer(request), (answer) =>
      answer.kind !== "PRICED" ? answer : {
        ...answer,
        offers: answer.offers.map((offer) => ({ ...offer, terms: change(offer.terms, request) ?? offer.terms }))
      })

/** Offers that a customer must never see. */
const answers: Readonly<Record<string, QuoteAnswer>> = {
  "a due date in 2001": changed((terms, request) => spoilOffer("DUE_TOO_EARLY", terms, request)),
  "a due date in 2190": changed((terms, request) => spoilOffer("DUE_TOO_LATE", terms, request)),
  "a CET of 0": changed((terms) => ({ ...terms, monthly_cet: percent(0), annual_cet: percent(0) })),
  "a rate of 99 % a month": changed((terms) => ({ ...terms, monthly_rate: percent(99) }))
}

describe("unlawful offers", () => {
  for (const [name, answer] of Object.entries(answers)) {
    it.effect(`LENDER-14 ${name} is never offered`, () =>
      withServer(Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        yield* (yield* ScriptedLender).setQuoteAnswers(answer)
        const { id } = yield* givenOpened(voice)
        yield* finish
        const read = yield* voice.read(id)
        assert.deepStrictEqual([at(read, "status"), at(read, "quote", "offers")], ["REJECTED", []])
        assert.strictEqual(at(read, "rejection", "code"), "LENDER_POLICY")
        assert.strictEqual(at(read, "quote", "unpriced", "length"), 2)
      })))
  }

  it.effect("FGTS-15 an offer of 30 November for a customer born in December cannot be accepted on 1 December", () =>
    withServer(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 30, 20))
      const voice = yield* givenVoice(yield* storeRootPartner())
      const birth_date = calendarDate("1990-12-24")
      const { id, kyc } = yield* givenOpened(voice, { customer: { birth_date } })
      yield* finish
      yield* voice.submit(id, kyc)
      const read = yield* voice.read(id)
      assert.strictEqual(at(read, "quote", "offers", 0, "installments", 0, "due_date"), "2026-12-01")
      assert.strictEqual(at(read, "quote", "offers", 0, "expires_at"), "2026-12-01T03:00:00.000Z")
      yield* TestClock.setTime(Date.UTC(2026, 11, 1, 3))
      const late = yield* voice.accept(id, offersOf(read)[0] ?? "")
      assert.deepStrictEqual([late.status, codeOf(late), ...problemsOf(late)], [
        409,
        "OFFER_NOT_AVAILABLE",
        "offer_id EXPIRED"
      ])
      assert.strictEqual(at(yield* voice.status(id), "status"), "EXPIRED")
    })))

  it.effect("FGTS-20 a customer under 18 is refused, in the language of the request", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { created } = yield* givenOpened(voice, { customer: { birth_date: calendarDate("2008-02-01") } })
      assert.deepStrictEqual([created.status, ...problemsOf(created)], [422, "customer.birth_date OUT_OF_RANGE"])
      assert.deepInclude(Object(at(created, "error", "details", 0)), {
        message: "The customer must be at least 18 years old.",
        params: { max: "2008-01-31", min_age: 18 }
      })
    })))
})
