import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { type DiscountedInstallment, presentValue } from "../../src/offer/discountInstallments.ts"
import { type OfferTerms } from "../../src/offer/PricedOffer.ts"
import { annualRate } from "../../src/offer/priceOffer.ts"
import { principalOf } from "../../src/offer/principal.ts"
import { roundedCost } from "../../src/offer/roundedCost.ts"
import { totalEffectiveCost } from "../../src/offer/totalEffectiveCost.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type Percent, percent } from "../../src/values/Percent.ts"
import { isCostRounded } from "./oracle.ts"

const released_on = calendarDate("2026-12-01")

const dueIn = (amount: number, days: number, monthly_rate: Percent): DiscountedInstallment => ({
  due_date: addDays(released_on, days),
  amount: centavos(amount),
  days,
  value: presentValue(centavos(amount), days, monthly_rate)
})

const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b)

/** An amount due in whole 30-day months with a present value of whole centavos and a half. */
const halves = fc.tuple(
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 0, max: 40 })
).filter(([hundredths, months]) => {
  const growth = (10_000n + BigInt(hundredths)) ** BigInt(months)
  return growth / gcd(growth, 10_000n ** BigInt(months)) % 2n === 0n
}).map(([hundredths, months, times]) => {
  const [numerator, denominator] = [(10_000n + BigInt(hundredths)) ** BigInt(months), 10_000n ** BigInt(months)]
  const common = gcd(numerator, denominator)
  const odd = 2n * BigInt(times) + 1n
  return {
    monthly_rate: percent(Number(`${hundredths}e-2`)),
    days: 30 * months,
    amount: Number(numerator / common / 2n * odd),
    above: Number((denominator / common * odd + 1n) / 2n)
  }
}).filter(({ amount }) => amount < 1_000_000_000_00)

describe("rounding ties", () => {
  it("T49 PRICE-03 a value halfway between two centavos is rounded up, even if floating point is lower", () => {
    for (
      const [monthly_rate, days, amount, principal] of [
        [0.8, 60, 2_619_54, 2_578_13],
        [10.08, 30, 44_72, 40_63],
        [13.28, 30, 10_62, 9_38]
      ] as const
    ) {
      const rate = percent(monthly_rate)
      const one = dueIn(amount, days, rate)
      assert.isBelow(one.value, principal - 0.5)
      assert.strictEqual<number>(principalOf(rate, [one]), principal)
    }
  })

  it("T49 PRICE-03 exact halves are rounded up, and one centavo less is rounded down", () => {
    fc.assert(
      fc.property(halves, ({ above, amount, days, monthly_rate }) => {
        assert.strictEqual(principalOf(monthly_rate, [dueIn(amount, days, monthly_rate)]), above)
        assert.isBelow(principalOf(monthly_rate, [dueIn(amount - 1, days, monthly_rate)]), above)
      }),
      { numRuns: examples(300) }
    )
  })

  it("T49 PRICE-10 a cost halfway between two hundredths is rounded to the even one", () => {
    const cases = fc.tuple(fc.integer({ min: 0, max: 50_000 }), fc.constantFrom(1, 2))
    fc.assert(
      fc.property(cases, ([below, years]) => {
        const net = centavos(20_000 ** years)
        const growth = 20_000 + 2 * below + 1
        const payment = dueIn(growth ** years, 365 * years, percent(0))
        const { annual } = Result.getOrThrow(totalEffectiveCost(net, [{ years, amount: payment.amount }]))
        const even = below % 2 === 0 ? below : below + 1
        assert.strictEqual(roundedCost(annual, net, [payment], 1), even / 100)
      }),
      { numRuns: examples(100) }
    )
  })

  it("T49 PRICE-10 one centavo more or less moves a cost off the tie", () => {
    const cases = fc.tuple(fc.integer({ min: 0, max: 50_000 }), fc.constantFrom(-1, 1))
    fc.assert(
      fc.property(cases, ([below, more]) => {
        const net = centavos(20_000_000_000_00)
        const payment = dueIn((20_000 + 2 * below + 1) * 1_000_000_00 + more, 365, percent(0))
        const { annual } = Result.getOrThrow(totalEffectiveCost(net, [{ years: 1, amount: payment.amount }]))
        assert.strictEqual(roundedCost(annual, net, [payment], 1), (more > 0 ? below + 1 : below) / 100)
      }),
      { numRuns: examples(100) }
    )
  })

  it("T49 PRICE-10 a yearly or monthly cost closer to a tie than floating point resolves is rounded correctly", () => {
    const net = centavos(1_000_000_000_000_00)
    const cases = fc.record({
      below: fc.integer({ min: 0, max: 1_000 }),
      days: fc.integer({ min: 1, max: 365 }),
      periods: fc.constantFrom(1, 12),
      more: fc.constantFrom(0, 1)
    })
    fc.assert(
      fc.property(cases, ({ below, days, more, periods }) => {
        const tie = (below + 0.5) / 1e4
        const amount = Math.floor(net * (1 + tie) ** (days * periods / 365)) + more
        const terms: OfferTerms = {
          released_on,
          monthly_rate: percent(0),
          fee: { kind: "none" },
          installments: [{ due_date: addDays(released_on, days), amount: centavos(amount) }]
        }
        const payment = dueIn(amount, days, percent(0))
        const found = Result.getOrThrow(totalEffectiveCost(net, [{ years: days / 365, amount: payment.amount }]))
        const cost = roundedCost(periods === 1 ? found.annual : found.monthly, net, [payment], periods === 1 ? 1 : 12)
        assert.isTrue(isCostRounded(terms, net, cost, periods))
      }),
      { numRuns: examples(100) }
    )
  })

  it("T49 PRICE-11 compounds twelve months exactly", () => {
    const exact = (hundredMillionths: bigint): number => {
      const scaled = (100_000_000n + hundredMillionths) ** 12n - 100_000_000n ** 12n
      return Number((2n * scaled + 10n ** 88n) / (2n * 10n ** 88n)) / 1e6
    }
    assert.strictEqual(annualRate(percent(1.8)), 23.872053)
    assert.strictEqual(annualRate(percent(0)), 0)
    assert.strictEqual(annualRate(percent(100)), 409_500)
    fc.assert(
      fc.property(fc.oneof(fc.nat({ max: 5_000_000 }), fc.nat({ max: 100_000_000 })), (millionths) => {
        assert.strictEqual(annualRate(percent(Number(`${millionths}e-6`))), exact(BigInt(millionths)))
      }),
      { numRuns: examples(2_000) }
    )
    // At high rates, floating point is off by a thousandth of the last decimal and would fail here.
    for (let millionths = 99_990_000; millionths < 100_000_000; millionths++) {
      assert.strictEqual(annualRate(percent(millionths / 1e6)), exact(BigInt(millionths)))
    }
  })
})
