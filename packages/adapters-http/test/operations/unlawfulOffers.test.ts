import { assert, describe, it } from "@effect/vitest"
import { type FeeKind, type PricedOffer } from "@lastro/domain/offer"
import { calendarDate, type Centavos, centavos, percent } from "@lastro/domain/values"
import {
  answering,
  type OfferedFor,
  type QuoteAnswer,
  refusing,
  ScriptedLender,
  spoilOffer,
  storeRootPartner,
  usualAnswer
} from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, problemsOf } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf } from "../origination.ts"

/** The usual answer with changed offers. */
const changed =
  (change: (terms: PricedOffer, request: OfferedFor) => PricedOffer | undefined): QuoteAnswer => (request) =>
    Effect.map(usualAnswer(request), (answer) =>
      answer.kind !== "PRICED" ? answer : {
        ...answer,
        offers: answer.offers.map((offer) => ({ ...offer, terms: change(offer.terms, request) ?? offer.terms }))
      })

/** Two offers of the same rate, with a stated kind of fee. */
const tableAt = (monthly_rate: number, fee_kind: FeeKind, amount: Centavos = centavos(0)): QuoteAnswer =>
  answering({
    kind: "PRICED",
    tables: ["A", "B"].map((code) => ({
      code,
      monthly_rate,
      fee: { kind: "fixed", amount },
      fee_kind,
      balance: centavos(5_000_00),
      valid_ms: null,
      spoiled: null
    }))
  })

/** Offers that a customer must never see. */
const answers: Readonly<Record<string, QuoteAnswer>> = {
  "a due date in 2001": changed((terms, request) => spoilOffer("DUE_TOO_EARLY", terms, request)),
  "a due date in 2190": changed((terms, request) => spoilOffer("DUE_TOO_LATE", terms, request)),
  "a CET of 0": changed((terms) => ({ ...terms, monthly_cet: percent(0), annual_cet: percent(0) })),
  "a due date after the next withdrawals": changed((terms, request) => spoilOffer("NOT_NEXT", terms, request)),
  "a rate of 1.83 % a month": tableAt(1.83, "NONE"),
  "a fee that its table does not have": tableAt(1.8, "NONE", centavos(10_00)),
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

  it.effect("FGTS-57 offers show the kind of their fee, stated by the lender or derived from the fee", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const kindsFor = Effect.fnUntraced(function*(answer: QuoteAnswer) {
        yield* (yield* ScriptedLender).setQuoteAnswers(answer)
        const { id } = yield* givenOpened(voice)
        yield* finish
        const read = yield* voice.read(id)
        return [0, 1].map((place) => at(read, "quote", "offers", place, "table", "fee_kind"))
      })
      assert.deepStrictEqual(yield* kindsFor(usualAnswer), ["OTHER", "NONE"])
      assert.deepStrictEqual(yield* kindsFor(tableAt(1.8, "REGISTRATION", centavos(10_00))), [
        "REGISTRATION",
        "REGISTRATION"
      ])
    })))

  it.effect("FGTS-59 without a balance, the application can be quoted again from the next 21st", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      yield* (yield* ScriptedLender).setQuoteAnswers(refusing("NO_BALANCE"), usualAnswer)
      const { id } = yield* givenOpened(voice)
      yield* finish
      const rejection = Object(at(yield* voice.read(id), "rejection"))
      assert.deepInclude(rejection, { kind: "TEMPORARY", retryable: true, retry_at: "2026-02-21T03:00:00.000Z" })
      yield* TestClock.setTime(Date.UTC(2026, 1, 21, 2, 59))
      assert.strictEqual((yield* voice.requote(id)).status, 409)
      yield* TestClock.setTime(Date.UTC(2026, 1, 21, 3))
      assert.strictEqual((yield* voice.requote(id)).status, 202)
    })))

  it.effect("FGTS-58 an offer that the rules no longer allow is refused with POLICY_CHANGED, in the language of the request", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const scripted = yield* ScriptedLender
      yield* scripted.setQuoteAnswers(tableAt(1.8, "REGISTRATION", centavos(10_00)))
      yield* scripted.setContractStatus("PAID")
      const first = yield* givenOpened(voice)
      const second = yield* givenOpened(voice, { customer: first.customer })
      yield* finish
      const offerIn = Effect.fnUntraced(function*({ id, kyc }: typeof first) {
        yield* voice.submit(id, kyc)
        const [offer = ""] = offersOf(yield* voice.read(id))
        return offer
      })
      const late = yield* offerIn(second)
      assert.strictEqual((yield* voice.accept(first.id, yield* offerIn(first))).status, 202)
      yield* finish
      for (
        const [language, message] of [
          ["en", "The rules of today do not allow this offer. Request a new quote."],
          ["pt-BR", "As regras em vigor hoje não permitem esta oferta. Solicite uma nova cotação."]
        ] as const
      ) {
        const refused = yield* voice.accept(second.id, late, undefined, { headers: { "accept-language": language } })
        assert.deepStrictEqual([refused.status, codeOf(refused), ...problemsOf(refused)], [
          409,
          "OFFER_NOT_AVAILABLE",
          "offer_id POLICY_CHANGED"
        ])
        assert.include(refused.text, message)
      }
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
