import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { judgeFee } from "../../src/offer/costsOf.ts"
import { presentValue } from "../../src/offer/discountInstallments.ts"
import { type DueAmount, type LoanFee, type OfferTerms, type PricedOffer } from "../../src/offer/PricedOffer.ts"
import { priceOffer } from "../../src/offer/priceOffer.ts"
import { calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos, maxCentavos, sumCentavos } from "../../src/values/Centavos.ts"
import { type Percent, percent } from "../../src/values/Percent.ts"
import { terms } from "./offers.ts"
import { isCostRounded, priceExactly } from "./oracle.ts"

const due = (due_date: string, amount: number): DueAmount => ({
  due_date: calendarDate(due_date),
  amount: centavos(amount)
})
const plain: OfferTerms = {
  released_on: calendarDate("2026-12-01"),
  monthly_rate: percent(1.8),
  fee: { kind: "none" },
  installments: [due("2027-08-01", 500_00), due("2028-08-01", 500_00), due("2029-08-01", 500_00)]
}

const refusalOf = (changed: Partial<OfferTerms>): string =>
  Result.match(priceOffer({ ...plain, ...changed }), {
    onSuccess: () => "priced",
    onFailure: (refusal) => refusal._tag === "TermsOutOfRange" ? refusal.reason : refusal._tag
  })

/** Terms that can be priced, with their price. */
const priced = terms.map((one) => [one, priceOffer(one)] as const)
  .filter(([, result]) => Result.isSuccess(result))
  .map(([one, result]): readonly [OfferTerms, PricedOffer] => [one, Result.getOrThrow(result)])

describe("priceOffer", () => {
  it("PRICE-12 three instalments at the maximum legal rate of 1.8 % a month, without a fee", () => {
    const { installments, ...offer } = Result.getOrThrow(priceOffer(plain))
    assert.deepStrictEqual<unknown>(offer, {
      gross_amount: 1_500_00,
      principal_amount: 1_060_99,
      iof_daily_amount: 27_43,
      iof_additional_amount: 4_03,
      iof_amount: 31_46,
      fee_amount: 0,
      net_amount: 1_029_53,
      monthly_rate: 1.8,
      annual_rate: 23.872053,
      monthly_cet: 1.99,
      annual_cet: 26.73
    })
    assert.deepStrictEqual(
      installments.map(({ calendar_days, principal_amount }) => [calendar_days, principal_amount]),
      [[243, 432_73], [609, 348_09], [974, 280_17]]
    )
  })

  it("T49 PRICE-01, PRICE-03, PRICE-05, PRICE-06, PRICE-07, PRICE-08, PRICE-11 every amount equals exact decimal arithmetic", () => {
    fc.assert(
      fc.property(priced, ([one, offer]) => {
        const exact = priceExactly(one)
        assert.deepStrictEqual([
          offer.principal_amount,
          offer.iof_daily_amount,
          offer.iof_additional_amount,
          offer.fee_amount,
          offer.net_amount,
          offer.annual_rate
        ], [exact.principal, exact.iofDaily, exact.iofAdditional, exact.fee, exact.net, exact.annualRate])
        for (const [index, value] of exact.values.entries()) {
          const { amount, calendar_days } = offer.installments[index]!
          const computed = presentValue(amount, calendar_days, one.monthly_rate)
          assert.isBelow(value.minus(computed).abs().div(value).toNumber(), 1e-12)
        }
      }),
      { numRuns: examples(300) }
    )
  })

  it("T49 PRICE-09, PRICE-10 both total effective costs equal exact decimal arithmetic", () => {
    fc.assert(
      fc.property(priced, ([one, { annual_cet, monthly_cet, net_amount }]) => {
        assert.isTrue(isCostRounded(one, net_amount, annual_cet, 1), "a year")
        assert.isTrue(isCostRounded(one, net_amount, monthly_cet, 12), "a month")
      }),
      { numRuns: examples(300) }
    )
  })

  it("T49 PRICE-04 the instalments' parts add up to the instalments and the principal, to the centavo", () => {
    fc.assert(
      fc.property(priced, ([one, offer]) => {
        const { installments } = offer
        const sumOf = (field: "amount" | "principal_amount" | "interest_amount") =>
          sumCentavos(installments.map((installment) => installment[field]))
        assert.strictEqual(sumOf("amount"), offer.gross_amount)
        assert.strictEqual(sumOf("principal_amount"), offer.principal_amount)
        assert.strictEqual(sumOf("interest_amount"), offer.gross_amount - offer.principal_amount)
        assert.strictEqual(offer.iof_amount, offer.iof_daily_amount + offer.iof_additional_amount)
        assert.strictEqual(offer.net_amount + offer.iof_amount + offer.fee_amount, offer.principal_amount)
        for (const [index, installment] of installments.entries()) {
          assert.strictEqual(installment.number, index + 1)
          assert.strictEqual(installment.principal_amount + installment.interest_amount, installment.amount)
        }
        const rounded = priceExactly(one).values.map((value) => value.round().toNumber())
        const parts = installments.map(({ principal_amount }) => principal_amount)
        const untouched = parts.findIndex((part, index) => part !== rounded[index])
        const rest = untouched === -1 ? [] : parts.slice(untouched + 1)
        // The first part that differs from its present value absorbs the rest, so later parts are zero.
        assert.isTrue(parts.every((part) => part >= 0))
        assert.isTrue(rest.every((part) => part === 0))
      }),
      { numRuns: examples(300) }
    )
  })

  it("PRICE-04 rounding that the last instalments cannot absorb is taken from earlier ones", () => {
    const amounts = [75_01, 37_51, 18_75, 9_38, 4_69, 2_34, 1_17, 59, 29, 15]
    const { installments, principal_amount } = Result.getOrThrow(priceOffer({
      ...plain,
      released_on: calendarDate("2024-04-10"),
      monthly_rate: percent(2.91),
      installments: amounts.map((amount, index) => due(`${2025 + index}-04-01`, amount))
    }))
    const parts = installments.map((installment) => installment.principal_amount)
    assert.deepStrictEqual<ReadonlyArray<number>>(parts, [53_37, 18_83, 6_64, 2_34, 83, 29, 10, 4, 0, 0])
    assert.strictEqual(sumCentavos(parts), principal_amount)
  })

  it("T49 the largest amounts are priced exactly", () => {
    const one = {
      ...plain,
      installments: plain.installments.map((installment, index) => ({
        ...installment,
        amount: centavos(Math.floor(maxCentavos / 3) - index)
      }))
    }
    const offer = Result.getOrThrow(priceOffer(one))
    const exact = priceExactly(one)
    assert.deepStrictEqual([
      offer.principal_amount,
      offer.iof_daily_amount,
      offer.iof_additional_amount,
      offer.net_amount
    ], [exact.principal, exact.iofDaily, exact.iofAdditional, exact.net])
    assert.strictEqual(
      sumCentavos(offer.installments.map(({ principal_amount }) => principal_amount)),
      offer.principal_amount
    )
  })

  it("PRICE-12 FEES_EXCEED_PRINCIPAL if taxes and fee leave nothing", () => {
    const fixed = (amount: number): LoanFee => ({ kind: "fixed", amount: centavos(amount) })
    const most = Result.getOrThrow(priceOffer(plain)).net_amount
    assert.strictEqual(refusalOf({ fee: fixed(most - 1) }), "COST_TOO_HIGH")
    assert.strictEqual(refusalOf({ fee: fixed(most - 1_00) }), "priced")
    assert.strictEqual(refusalOf({ fee: fixed(most) }), "FeesExceedPrincipal")
    assert.strictEqual(refusalOf({ fee: fixed(most + 1) }), "FeesExceedPrincipal")
    assert.strictEqual(refusalOf({ fee: fixed(maxCentavos) }), "FeesExceedPrincipal")
    assert.strictEqual(refusalOf({ fee: { kind: "percent", percent: percent(100) } }), "FeesExceedPrincipal")
    assert.strictEqual(
      refusalOf({ monthly_rate: percent(100), installments: [due("2126-12-01", 1)] }),
      "FeesExceedPrincipal"
    )
  })

  it("PRICE-12 a cost beyond the percentage range is rejected", () => {
    assert.strictEqual(
      refusalOf({ installments: [due("2026-12-02", 1_000_00)], fee: { kind: "fixed", amount: centavos(990_00) } }),
      "COST_TOO_HIGH"
    )
  })

  it("PRICE-14 a negative fee or a fee above the principal is rejected", () => {
    assert.isTrue(Result.isSuccess(judgeFee({ kind: "none" })))
    assert.isTrue(Result.isSuccess(judgeFee({ kind: "percent", percent: percent(100) })))
    assert.strictEqual(refusalOf({ fee: { kind: "fixed", amount: centavos(-1) } }), "NEGATIVE_FEE")
    assert.strictEqual(refusalOf({ fee: { kind: "percent", percent: -0.000001 as Percent } }), "NEGATIVE_FEE")
    assert.strictEqual(refusalOf({ fee: { kind: "percent", percent: percent(100.000001) } }), "FeesExceedPrincipal")
    assert.strictEqual(refusalOf({ fee: { kind: "percent", percent: percent(999_999_999) } }), "FeesExceedPrincipal")
    assert.strictEqual(refusalOf({ fee: { kind: "percent", percent: percent(0) } }), "priced")
    assert.strictEqual(refusalOf({ fee: { kind: "fixed", amount: centavos(0) } }), "priced")
  })

  it("PRICE-02 invalid terms are rejected", () => {
    assert.strictEqual(refusalOf({}), "priced")
    assert.strictEqual(refusalOf({ installments: [] }), "NO_INSTALLMENTS")
    assert.strictEqual(refusalOf({ installments: [due("2027-08-01", 0)] }), "AMOUNT_NOT_POSITIVE")
    assert.strictEqual(refusalOf({ installments: [due("2027-08-01", -1)] }), "AMOUNT_NOT_POSITIVE")
    assert.strictEqual(refusalOf({ installments: [due("2026-12-01", 500_00)] }), "DUE_DATES_NOT_ASCENDING")
    assert.strictEqual(refusalOf({ installments: [due("2026-12-02", 500_00)] }), "priced")
    assert.strictEqual(
      refusalOf({ installments: [due("2027-08-01", 500_00), due("2027-08-01", 500_00)] }),
      "DUE_DATES_NOT_ASCENDING"
    )
    assert.strictEqual(refusalOf({ monthly_rate: -0.000001 as Percent }), "RATE_OUT_OF_RANGE")
    assert.strictEqual(refusalOf({ monthly_rate: percent(100.000001) }), "RATE_OUT_OF_RANGE")
    assert.strictEqual(refusalOf({ monthly_rate: percent(0) }), "priced")
    assert.strictEqual(refusalOf({ monthly_rate: percent(100) }), "priced")
    assert.strictEqual(
      refusalOf({ installments: [due("2027-08-01", maxCentavos), due("2028-08-01", 1)] }),
      "GROSS_TOO_LARGE"
    )
  })

  it("PRICE-12 any terms are either priced or rejected", () => {
    const any = fc.record({
      released_on: fc.constantFrom(calendarDate("1900-01-01"), calendarDate("2026-12-01")),
      monthly_rate: fc.integer({ min: -1_000_000, max: 999_999_999_999_999 }).map((units) =>
        Number(`${units}e-6`) as Percent
      ),
      fee: fc.oneof(
        fc.constant<LoanFee>({ kind: "none" }),
        fc.integer({ min: -maxCentavos, max: maxCentavos }).map((amount): LoanFee => ({
          kind: "fixed",
          amount: centavos(amount)
        })),
        fc.integer({ min: -1_000_000, max: 999_999_999_999_999 }).map((units): LoanFee => ({
          kind: "percent",
          percent: Number(`${units}e-6`) as Percent
        }))
      ),
      installments: fc.array(
        fc.record({
          due_date: fc.constantFrom("1900-01-02", "2026-12-02", "2027-08-01", "2199-12-31").map(calendarDate),
          amount: fc.integer({ min: -5, max: maxCentavos }).map(centavos)
        }),
        { maxLength: 4 }
      )
    })
    const outcomes = fc.tuple(any, fc.constantFrom<Partial<OfferTerms>>({}, { monthly_rate: percent(1.8) }, plain))
    fc.assert(
      fc.property(outcomes, ([one, instead]) => {
        const result = priceOffer({ ...one, ...instead, fee: one.fee })
        if (Result.isFailure(result)) return
        assert.isAbove(result.success.net_amount, 0)
        assert.isAtMost(result.success.net_amount, result.success.gross_amount)
      }),
      { numRuns: examples(2_000) }
    )
  })
})
