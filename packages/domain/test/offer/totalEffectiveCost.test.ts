import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { totalEffectiveCost } from "../../src/offer/totalEffectiveCost.ts"
import { centavos } from "../../src/values/Centavos.ts"

const payments = fc.array(
  fc.record({
    years: fc.oneof(fc.integer({ min: 1, max: 4_000 }).map((days) => days / 365), fc.constantFrom(1 / 365, 1, 300)),
    amount: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1e12 })).map(centavos)
  }),
  { minLength: 1, maxLength: 10 }
)
const grossOf = (all: ReadonlyArray<{ readonly amount: number }>): number =>
  all.reduce((sum, { amount }) => sum + amount, 0)

describe("totalEffectiveCost", () => {
  it("PRICE-09 discounting at the computed cost returns the net amount, however far apart the payments", () => {
    fc.assert(
      fc.property(payments, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const net = centavos(Math.max(1, Math.round(grossOf(all) * share)))
        const { annual, monthly } = Result.getOrThrow(totalEffectiveCost(net, all))
        const logarithm = Math.log1p(annual)
        if (logarithm < 700) {
          const worth = all.reduce((sum, { amount, years }) => sum + amount * Math.exp(-logarithm * years), 0)
          assert.isBelow(Math.abs(worth / net - 1), 1e-10)
        }
        assert.isAtLeast(monthly, 0)
        assert.isTrue(
          Math.abs(Math.log1p(monthly) * 12 - logarithm) <= 1e-12 * Math.max(1, logarithm) || annual === Infinity
        )
      }),
      { numRuns: 3_000 }
    )
  })

  it("PRICE-09 repaying exactly the net amount costs 0 %", () => {
    assert.deepStrictEqual(
      totalEffectiveCost(centavos(500), [{ years: 1, amount: centavos(200) }, { years: 2, amount: centavos(300) }]),
      Result.succeed({ annual: 0, monthly: 0 })
    )
  })

  it("PRICE-09 states why there is no cost", () => {
    const reasonOf = (net: number): string =>
      Result.match(totalEffectiveCost(centavos(net), [{ years: 1, amount: centavos(100) }]), {
        onSuccess: () => "found",
        onFailure: ({ reason }) => reason
      })
    assert.strictEqual(reasonOf(0), "NET_NOT_POSITIVE")
    assert.strictEqual(reasonOf(-1), "NET_NOT_POSITIVE")
    assert.strictEqual(reasonOf(1), "found")
    assert.strictEqual(reasonOf(100), "found")
    assert.strictEqual(reasonOf(101), "NET_ABOVE_GROSS")
    assert.isTrue(Result.isFailure(totalEffectiveCost(centavos(1), [])))
  })
})
