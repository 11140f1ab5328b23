import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { costsOf } from "../../src/offer/costsOf.ts"
import { type OfferTerms } from "../../src/offer/PricedOffer.ts"
import { reduceToDesired } from "../../src/offer/reduceToDesired.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { type Centavos, centavos } from "../../src/values/Centavos.ts"
import { type Percent, percent } from "../../src/values/Percent.ts"
import { fees, rates, releases, terms } from "./offers.ts"

const netOf = (one: OfferTerms): number => Result.getOrThrow(costsOf(one)).net_amount
const amountsOf = ({ installments }: OfferTerms): ReadonlyArray<number> => installments.map(({ amount }) => amount)
const reduce = (one: OfferTerms, desired: number, min: number | null = null): OfferTerms =>
  Result.getOrThrow(reduceToDesired(one, centavos(desired), min === null ? null : centavos(min)))

const truncate = (one: OfferTerms, count: number, last: Centavos): OfferTerms => ({
  ...one,
  installments: one.installments.slice(0, count).map((installment, index) =>
    index === count - 1 ? { ...installment, amount: last } : installment
  )
})

/** The literal rule: tries each number of instalments and each last amount in ascending order. */
const searchExhaustively = (one: OfferTerms, desired: number, min: number): ReadonlyArray<number> => {
  for (const [index, { amount }] of one.installments.entries()) {
    if (netOf(truncate(one, index + 1, amount)) < desired) continue
    for (let last = Math.min(min, amount); last <= amount; last++) {
      const candidate = truncate(one, index + 1, centavos(last))
      if (netOf(candidate) >= desired) return amountsOf(candidate)
    }
  }
  return amountsOf(one)
}

const plain: OfferTerms = {
  released_on: calendarDate("2026-12-01"),
  monthly_rate: percent(1.8),
  fee: { kind: "none" },
  installments: ["2027-08-01", "2028-08-01", "2029-08-01"].map((due_date) => ({
    due_date: calendarDate(due_date),
    amount: centavos(500_00)
  }))
}

/** Up to three instalments of a few reais. */
const small: fc.Arbitrary<OfferTerms> = fc.record({
  released_on: releases,
  monthly_rate: rates,
  fee: fees,
  installments: fc.array(fc.integer({ min: 1, max: 4_00 }), { minLength: 1, maxLength: 3 })
}).map(({ installments, ...rest }) => ({
  ...rest,
  installments: installments.map((amount, index) => ({
    amount: centavos(amount),
    due_date: addDays(rest.released_on, 100 + 365 * index)
  }))
}))

describe("reduceToDesired", () => {
  it("PRICE-13 without a desired amount, or with one above the maximum, returns the maximum", () => {
    assert.deepStrictEqual(Result.getOrThrow(reduceToDesired(plain, null, centavos(100_00))), plain)
    assert.deepStrictEqual(reduce(plain, netOf(plain) + 1, 100_00), plain)
    assert.deepStrictEqual(reduce(plain, 1_000_000_00), plain)
  })

  it("PRICE-13 removes instalments from the earliest on and reduces the last to the minimum that suffices", () => {
    const one = reduce(plain, 600_00, 100_00)
    assert.strictEqual(one.installments.length, 2)
    assert.strictEqual(one.installments[0], plain.installments[0])
    assert.strictEqual(one.installments[1]!.due_date, "2028-08-01")
    assert.isAtLeast(netOf(one), 600_00)
    assert.isBelow(netOf(truncate(plain, 2, centavos(one.installments[1]!.amount - 1))), 600_00)
  })

  it("PRICE-13 never goes below the minimum instalment, even if less would suffice", () => {
    assert.deepStrictEqual(amountsOf(reduce(plain, 1, 100_00)), [100_00])
    assert.deepStrictEqual(amountsOf(reduce(plain, netOf(truncate(plain, 1, centavos(500_00))) + 1, 100_00)), [
      500_00,
      100_00
    ])
    assert.deepStrictEqual(amountsOf(reduce(plain, 1)), searchExhaustively(plain, 1, 1))
  })

  it("PRICE-13 finds the minimum even where the net amount falls by a centavo as an instalment rises by one", () => {
    const amounts = Array.from({ length: 10_000 }, (_, more) => centavos(1_00 + more))
    const nets = amounts.map((amount) => netOf(truncate(plain, 1, amount)))
    const falls = amounts.filter((_, index) => (nets[index + 1] ?? Infinity) < nets[index]!)
    assert.isNotEmpty(falls)
    for (const amount of falls) {
      const desired = netOf(truncate(plain, 1, amount))
      assert.deepStrictEqual(amountsOf(reduce(plain, desired)), searchExhaustively(plain, desired, 1))
    }
  })

  it("T49 PRICE-13 finds the smallest sufficient amount: equal to exhaustive search", () => {
    fc.assert(
      fc.property(
        small,
        fc.integer({ min: -10, max: 12_00 }),
        fc.integer({ min: 1, max: 2_00 }),
        (one, desired, min) => {
          assert.deepStrictEqual(amountsOf(reduce(one, desired, min)), searchExhaustively(one, desired, min))
        }
      ),
      { numRuns: examples(1_000) }
    )
  })

  it("T49 PRICE-13 for large amounts, the result suffices and one centavo less does not", () => {
    fc.assert(
      fc.property(terms, fc.double({ min: 0, max: 1.1, noNaN: true }), (one, share) => {
        const desired = Math.round(Math.max(0, netOf(one)) * share) + 1
        const found = reduce(one, desired, 50)
        const { amount } = found.installments.at(-1)!
        if (netOf(found) < desired) return assert.deepStrictEqual(found, one)
        for (let less = 1; less <= 3 && amount - less >= 50; less++) {
          assert.isBelow(netOf(truncate(one, found.installments.length, centavos(amount - less))), desired)
        }
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("PRICE-13 terms that cannot be priced are still rejected", () => {
    assert.isTrue(Result.isFailure(reduceToDesired({ ...plain, monthly_rate: -1 as Percent }, centavos(1), null)))
    assert.deepStrictEqual(reduce({ ...plain, installments: [] }, 1).installments, [])
  })
})
