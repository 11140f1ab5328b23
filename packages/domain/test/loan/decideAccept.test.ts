import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { type KycValues } from "../../src/kyc/KycValues.ts"
import { type Application, findOffer, latestQuote } from "../../src/loan/Application.ts"
import { type Offer } from "../../src/offer/Offer.ts"
import { type LenderOffer } from "../../src/offer/Quote.ts"
import { isWithinPolicy } from "../../src/offer/whyNotContractable.ts"
import { calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type OfferId } from "../../src/values/ids.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  completeKyc,
  contractingApplication,
  customer,
  decideOn,
  hourMs,
  lenderOffer,
  msAfter,
  newApplication,
  noon,
  offerId,
  priceQuote,
  quotedApplication,
  requote,
  submitKyc,
  updateContract
} from "./examples.ts"

const best = offerId(1, 1)
const { birth_date } = customer

/** Returns the event, nothing, or the refusal with its reason. */
const accepting = (application: Application, offer: OfferId, at: Timestamp = noon): string =>
  Result.match(decideOn(application, accept(offer, at)), {
    onSuccess: (events) => events.map(({ _tag }) => _tag).join(),
    onFailure: (refusal) =>
      refusal._tag === "OfferNotAvailable"
        ? refusal.reason
        : refusal._tag === "KycIncomplete"
        ? `${refusal._tag} ${refusal.missing.join()}`
        : refusal._tag
  })

/** Accepts the best offer while another proposal of the customer pledges the withdrawals of these years. */
const acceptingBeside = (
  application: Application,
  years: ReadonlyArray<number>,
  { is_in_scope = true, offer = best }: { readonly is_in_scope?: boolean; readonly offer?: OfferId } = {}
): string =>
  Result.match(decideOn(application, { ...accept(offer), pledges: pledging(application, years, is_in_scope) }), {
    onSuccess: (events) => events.map(({ _tag }) => _tag).join(),
    onFailure: (refusal) => refusal._tag === "OfferNotAvailable" ? refusal.reason : refusal._tag
  })

const pledging = ({ customer: { birth_date } }: Application, years: ReadonlyArray<number>, is_in_scope: boolean) =>
  years.length === 0
    ? []
    : [{
      due_dates: years.map((year) => calendarDate(`${year}-${birth_date.slice(5, 7)}-01`)),
      birth_date,
      is_in_scope
    }]

const end2025 = "2025-11-01T03:00:00.000Z" as Timestamp
const end2026 = "2026-11-01T03:00:00.000Z" as Timestamp

/** Quotes an application two hours before a policy ends. `amounts`: the instalments in centavos. */
const quotedBefore = (end: Timestamp, amounts: ReadonlyArray<number>): Application => {
  const at = msAfter(-2 * hourMs, end)
  return applyCommands(
    newApplication(at),
    priceQuote(1, at, [lenderOffer("standard", { at, amounts })]),
    submitKyc(completeKyc, at)
  )
}

/** Builds an offer that may be unlawful. */
const offerOf = (amounts: ReadonlyArray<number>, at: Timestamp = noon): Offer => ({
  offer_id: best,
  table: { code: "standard", label: "Standard" },
  terms: lenderOffer("standard", { amounts, at }).terms,
  policy: "",
  expires_at: msAfter(24 * hourMs)
})

describe("accepting an offer", () => {
  it("FGTS-17 makes a proposal from the accepted offer and the KYC", () => {
    const { proposal, version } = contractingApplication()
    assert.deepInclude(proposal, {
      offer_id: best,
      status: "SUBMITTING" as const,
      customer: { name: completeKyc.name, cpf: completeKyc.cpf },
      created_by: "somebody else",
      created_at: noon,
      updated_at: noon,
      status_history: [{ status: "SUBMITTING", at: noon, reason: null }],
      contract: null,
      submitted_at: null,
      disbursement: { method: "PIX", pix: completeKyc.pix, bank: null },
      disbursement_attempt: 1,
      acceptance: { accepted_at: noon, ip: "203.0.113.7", user_agent: "Mozilla/5.0" }
    })
    assert.strictEqual(version, quotedApplication().version + 1)
  })

  it("FGTS-17 T43 is possible until the instant before the offer expires", () => {
    const end = msAfter(24 * hourMs)
    assert.deepStrictEqual([-1, 0, 1].map((by) => accepting(quotedApplication(), best, msAfter(by, end))), [
      "OfferAccepted",
      "EXPIRED",
      "EXPIRED"
    ])
  })

  it("FGTS-17 T42 accepting again changes nothing, whatever the status of the contract and the time", () => {
    const late = msAfter(48 * hourMs)
    for (const status of ["AWAITING_SIGNATURE", "DISBURSEMENT_FAILED", "PAID", "CANCELLED", "REJECTED"] as const) {
      const application = applyCommands(contractingApplication(), updateContract(status))
      assert.strictEqual(accepting(application, best, late), "")
      assert.strictEqual(accepting(application, offerId(1, 2), late), "DECLINED")
    }
  })

  it("FGTS-17 T40 no offer of an older quote is accepted, whatever the result of the newer one", () => {
    const again = applyCommands(quotedApplication(), requote(2))
    assert.strictEqual(accepting(again, best), "SUPERSEDED")
    assert.strictEqual(accepting(applyCommands(again, priceQuote(2)), best), "SUPERSEDED")
    assert.strictEqual(accepting(applyCommands(again, priceQuote(2), accept(offerId(2, 1))), best), "SUPERSEDED")
  })

  it("FGTS-17 T44 needs a complete KYC; missing fields are listed for an available offer only", () => {
    const fields = Object.keys(completeKyc) as ReadonlyArray<keyof KycValues>
    for (const field of fields.filter((name) => name !== "bank")) {
      const application = applyCommands(quotedApplication(), submitKyc({ ...completeKyc, [field]: null }))
      assert.match(accepting(application, best), new RegExp(`^KycIncomplete ${field}`))
      assert.strictEqual(accepting(application, best, msAfter(24 * hourMs)), "EXPIRED")
    }
    assert.match(accepting(applyCommands(newApplication(), priceQuote(1)), best), /^KycIncomplete name,cpf,/)
    assert.strictEqual(
      accepting(applyCommands(quotedApplication(), submitKyc({ ...completeKyc, bank: null })), best),
      "OfferAccepted"
    )
  })

  it("FGTS-17 an unknown offer is not found", () => {
    assert.strictEqual(accepting(quotedApplication(), offerId(7, 7)), "NotFound")
    assert.strictEqual(accepting(newApplication(), offerId(1, 1)), "NotFound")
    assert.strictEqual(Result.getOrThrow(findOffer(quotedApplication(), offerId(1, 2))).offer.offer_id, offerId(1, 2))
  })

  it("FGTS-17 FGTS-47 refuses an offer whose withdrawal another proposal pledges, but first an incomplete KYC", () => {
    const quoted = quotedApplication()
    const incomplete = applyCommands(quoted, submitKyc({ ...completeKyc, mother_name: null }))
    const years = latestQuote(quoted).offers[0]!.terms.installments.map(({ due_date }) => Number(due_date.slice(0, 4)))
    const [first, last] = [years[0]!, years.at(-1)!]
    for (const pledged of [[first], [last], years]) {
      assert.strictEqual(acceptingBeside(incomplete, pledged), "KycIncomplete")
      assert.strictEqual(acceptingBeside(applyCommands(quoted, submitKyc()), pledged), "EXISTING_CONTRACT")
    }
    assert.strictEqual(acceptingBeside(applyCommands(quoted, submitKyc()), [first - 1, last + 1]), "OfferAccepted")
    assert.strictEqual(acceptingBeside(quoted, [], { offer: offerId(9, 9) }), "NotFound")
    const accepted = applyCommands(quoted, submitKyc(), accept(best))
    assert.strictEqual(acceptingBeside(accepted, years), "")
    assert.strictEqual(acceptingBeside(accepted, years, { offer: offerId(1, 2) }), "DECLINED")
  })

  it("FGTS-61 while another proposal pledges the next withdrawal, no offer is accepted, whatever its years", () => {
    const quoted = applyCommands(quotedApplication(), submitKyc())
    const [offer] = latestQuote(quoted).offers
    const [next] = offer!.terms.installments
    const later = {
      ...quoted,
      quotes: [{
        ...latestQuote(quoted),
        offers: [{ ...offer!, terms: { ...offer!.terms, installments: offer!.terms.installments.slice(1) } }]
      }]
    } satisfies Application
    const year = Number(next!.due_date.slice(0, 4))
    assert.strictEqual(acceptingBeside(later, [year]), "EXISTING_CONTRACT")
    assert.strictEqual(acceptingBeside(later, [year, year + 9]), "EXISTING_CONTRACT")
    assert.strictEqual(acceptingBeside(later, [year - 1, year + 9]), "OfferAccepted")
    const incomplete = applyCommands(later, submitKyc({ ...completeKyc, mother_name: null }))
    assert.strictEqual(acceptingBeside(incomplete, [year]), "KycIncomplete")
  })

  it("FGTS-17 T35 a caller that may not see the other proposal gets the refusal of an unlawful offer", () => {
    const quoted = applyCommands(quotedApplication(), submitKyc())
    const years = latestQuote(quoted).offers[0]!.terms.installments.map(({ due_date }) => Number(due_date.slice(0, 4)))
    const hidden = pledging(quoted, years, false)
    const seen = pledging(quoted, years, true)
    for (
      const [pledges, reason] of [[hidden, "POLICY_CHANGED"], [seen, "EXISTING_CONTRACT"], [
        [...hidden, ...seen],
        "EXISTING_CONTRACT"
      ]] as const
    ) {
      const refused = Result.getFailure(decideOn(quoted, { ...accept(best), pledges }))
      assert.deepInclude(Option.getOrThrow(refused), { _tag: "OfferNotAvailable", reason })
    }
    assert.strictEqual(acceptingBeside(quoted, [1999], { is_in_scope: false }), "OfferAccepted")
  })

  it("FGTS-17 FGTS-58 refuses a registration fee once the customer had a paid contract, but first an incomplete KYC", () => {
    const standard = lenderOffer("standard", { fee: 10_00 })
    const registration: LenderOffer = { ...standard, table: { ...standard.table, fee_kind: "REGISTRATION" } }
    const quoted = applyCommands(
      newApplication(),
      priceQuote(1, noon, [registration, lenderOffer("other", { fee: 20_00 })])
    )
    const acceptingAs = (application: Application, is_known_customer: boolean, offer: OfferId) =>
      Result.match(
        decideOn(application, { ...accept(offer), is_known_customer, pledges: pledging(application, [2026], true) }),
        {
          onSuccess: (events) => events.map(({ _tag }) => _tag).join(),
          onFailure: (refusal) => refusal._tag === "OfferNotAvailable" ? refusal.reason : refusal._tag
        }
      )
    const ready = applyCommands(quoted, submitKyc())
    assert.strictEqual(acceptingAs(quoted, true, best), "KycIncomplete")
    assert.strictEqual(acceptingAs(ready, true, best), "POLICY_CHANGED")
    assert.strictEqual(acceptingAs(ready, false, best), "EXISTING_CONTRACT")
    assert.strictEqual(acceptingAs(ready, true, offerId(1, 2)), "EXISTING_CONTRACT")
  })

  it("FGTS-18 T50 at 23:59:59.999 of the last day of a policy its offers are accepted, at 00:00:00.000 none is", () => {
    for (
      const [end, amounts] of [
        [end2025, [900_00, 800_00, 700_00, 600_00, 500_00, 400_00, 300_00, 200_00, 100_00, 50_00]],
        [end2025, [300_00, 200_00]],
        [end2026, [500_00, 400_00, 300_00, 200_00, 100_00]],
        [end2026, [500_00, 400_00, 300_00]]
      ] as const
    ) {
      const application = quotedBefore(end, amounts)
      const offer = latestQuote(application).offers[0]?.offer_id ?? offerId(9, 9)
      assert.strictEqual(accepting(application, offer, msAfter(-1, end)), "OfferAccepted")
      assert.strictEqual(accepting(application, offer, end), "EXPIRED")
      const renewed = applyCommands(
        application,
        requote(2, end),
        priceQuote(2, end, [lenderOffer("standard", { at: end })])
      )
      assert.strictEqual(accepting(renewed, offerId(2, 1), end), "OfferAccepted")
    }
  })

  it("FGTS-18 T50 the policy of the acceptance day applies, even if the offer expires later", () => {
    const six = [500_00, 400_00, 300_00, 200_00, 150_00, 120_00]
    const four = [500_00, 400_00, 300_00, 200_00]
    const lawful = (at: Timestamp) =>
      [six, four, [500_01], [99_99]].map((amounts) => isWithinPolicy(offerOf(amounts, at), { at, birth_date }))
    assert.deepStrictEqual(lawful(msAfter(-1, end2025)), [true, true, true, true])
    assert.deepStrictEqual(lawful(end2025), [false, true, false, false])
    assert.deepStrictEqual(lawful(msAfter(-1, end2026)), [false, true, false, false])
    assert.deepStrictEqual(lawful(end2026), [false, false, false, false])
    assert.isTrue(isWithinPolicy(offerOf([500_00, 100_00, 100_00], end2026), { at: end2026, birth_date }))
    const forever = applyCommands(quotedBefore(end2026, [500_00, 400_00, 300_00, 200_00]))
    const stretched: Application = {
      ...forever,
      quotes: [{
        ...latestQuote(forever),
        offers: latestQuote(forever).offers.map((offer) => ({
          ...offer,
          expires_at: msAfter(24 * hourMs, end2026)
        }))
      }]
    }
    assert.strictEqual(accepting(stretched, best, msAfter(-1, end2026)), "OfferAccepted")
    assert.strictEqual(accepting(stretched, best, end2026), "POLICY_CHANGED")
  })

  it("FGTS-18 T50 an offer is lawful exactly when the policy of the day allows it", () => {
    const amounts = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 600_00 }), fc.constantFrom(99_99, 100_00, 500_00, 500_01)),
      {
        minLength: 1,
        maxLength: 11
      }
    )
    const days = fc.constantFrom(
      [msAfter(-1, end2025), 10, 0, Infinity] as const,
      [end2025, 5, 100_00, 500_00] as const,
      [msAfter(-1, end2026), 5, 100_00, 500_00] as const,
      [end2026, 3, 100_00, 500_00] as const
    )
    fc.assert(
      fc.property(amounts, days, (given, [at, most, least, greatest]) => {
        const offer = offerOf([100_00], at)
        const terms = {
          ...offer.terms,
          installments: given.map((amount, index) => ({
            ...offer.terms.installments[0]!,
            number: index + 1,
            amount: centavos(amount)
          }))
        }
        const expected = given.length <= most && given.every((amount) => amount >= least && amount <= greatest)
        assert.strictEqual(isWithinPolicy({ ...offer, terms }, { at, birth_date }), expected)
      }),
      { numRuns: 1_000 }
    )
  })
})
