import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { costsOf } from "../../src/offer/costsOf.ts"
import { type OfferTerms } from "../../src/offer/PricedOffer.ts"
import { priceOffer } from "../../src/offer/priceOffer.ts"
import { totalEffectiveCost } from "../../src/offer/totalEffectiveCost.ts"
import { addDays } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { fractionOf, percent } from "../../src/values/Percent.ts"
import { terms } from "./offers.ts"
import { priceExactly } from "./oracle.ts"

const netOf = (one: OfferTerms): number => Result.getOrThrow(costsOf(one)).net_amount

/** The net amount is the sum of four rounded parts, each off by at most half a centavo. */
const rounding = 2

/** Asserts that `dearer` costs more than `one`, wherever the difference exceeds rounding. */
const expectCostsMore = (one: OfferTerms, dearer: OfferTerms): void => {
  const fallen = priceExactly(one).unroundedNet.minus(priceExactly(dearer).unroundedNet).toNumber()
  assert.isAtLeast(fallen, 0)
  assert.isAtMost(netOf(dearer), netOf(one) + 2 * rounding)
  if (fallen > 2 * rounding) assert.isBelow(netOf(dearer), netOf(one))
}

const runs = { numRuns: examples(200) }

describe("net amount properties", () => {
  it("PRICE-08 it is within two centavos of the unrounded amount", () => {
    fc.assert(
      fc.property(terms, (one) => {
        assert.isAtMost(priceExactly(one).unroundedNet.minus(netOf(one)).abs().toNumber(), rounding)
      }),
      runs
    )
  })

  it("PRICE-08 it falls as the rate rises", () => {
    fc.assert(
      fc.property(terms, fc.integer({ min: 1, max: 3_000_000 }), (one, more) => {
        const millionths = Math.min(100_000_000, Math.round(one.monthly_rate * 1e6) + more)
        expectCostsMore(one, { ...one, monthly_rate: percent(Number(`${millionths}e-6`)) })
      }),
      runs
    )
  })

  it("PRICE-08 it falls as the fee rises", () => {
    fc.assert(
      fc.property(terms, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 }), (one, share, more) => {
        const withFee = (least: number): OfferTerms => ({ ...one, fee: { kind: "percent", percent: percent(least) } })
        expectCostsMore(withFee(share), withFee(share + more))
        const fixed = (amount: number): OfferTerms => ({ ...one, fee: { kind: "fixed", amount: centavos(amount) } })
        assert.strictEqual(netOf(fixed(share)) - netOf(fixed(share + more)), more)
      }),
      runs
    )
  })

  it("PRICE-08 it falls as the term rises", () => {
    fc.assert(
      fc.property(terms, fc.integer({ min: 1, max: 400 }), (one, days) => {
        expectCostsMore(one, {
          ...one,
          installments: one.installments.map(({ amount, due_date }) => ({ amount, due_date: addDays(due_date, days) }))
        })
      }),
      runs
    )
  })

  it("PRICE-08 with a percentage fee, costs scale with the instalments", () => {
    const proportional = terms.filter(({ fee }) => fee.kind !== "fixed")
    fc.assert(
      fc.property(proportional, fc.integer({ min: 2, max: 50 }), (one, times) => {
        const larger = {
          ...one,
          installments: one.installments.map(({ amount, due_date }) => ({ due_date, amount: centavos(amount * times) }))
        }
        assert.isAtMost(Math.abs(netOf(larger) - times * netOf(one)), rounding * (times + 1))
      }),
      runs
    )
  })

  it("PRICE-09 if there are charges, the cost exceeds the rate over 30-day months", () => {
    fc.assert(
      fc.property(terms, (one) => {
        const { fee_amount, installments, iof_amount, net_amount } = Result.getOrThrow(costsOf(one))
        fc.pre(iof_amount + fee_amount > 0 && net_amount > 0)
        const payments = installments.map(({ amount, days }) => ({ amount, years: days / 365 }))
        const { annual } = Result.getOrThrow(totalEffectiveCost(net_amount, payments))
        assert.isAbove(annual, (1 + fractionOf(one.monthly_rate)) ** (365 / 30) - 1)
        const offer = priceOffer(one)
        if (Result.isFailure(offer)) return assert.strictEqual(offer.failure._tag, "TermsOutOfRange")
        assert.isAtLeast(offer.success.annual_cet, offer.success.annual_rate - 0.005)
        assert.isAtLeast(offer.success.monthly_cet, offer.success.monthly_rate - 0.005)
      }),
      { numRuns: examples(1_000) }
    )
  })
})
