import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { divideHalfUp, roundHalfUp } from "../../src/values/rounding.ts"

/** A decimal of at most fifteen digits, as a number and as an integer with a scale. */
const decimals = fc.tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.nat({ max: 12 }))
  .map(([digits, scale]) => ({ value: Number(`${digits}e-${scale}`), digits: BigInt(digits), scale }))

describe("rounding", () => {
  it("MONEY-01 half up rounds ties away from zero, on the decimal representation of a number", () => {
    for (
      const [value, places, rounded] of [
        [2.5, 0, 3],
        [3.5, 0, 4],
        [-2.5, 0, -3],
        [1.005, 2, 1.01],
        [2.675, 2, 2.68],
        [8.345, 2, 8.35],
        [1.0049999, 2, 1],
        [304.65999999999997, 2, 304.66],
        [0.005, 2, 0.01],
        [0.0049, 2, 0],
        [1e-7, 2, 0],
        [5e-324, 2, 0],
        [1234.5, 2, 1234.5],
        [1e21, 2, 1e21],
        [1.7976931348623157e308, 2, 1.7976931348623157e308]
      ] as const
    ) assert.strictEqual(roundHalfUp(value, places), rounded, `${value}`)
    assert.isTrue(Object.is(roundHalfUp(-0.001, 2), 0))
    assert.strictEqual(roundHalfUp(Infinity, 2), Infinity)
    assert.isNaN(roundHalfUp(NaN, 2))
  })

  it("MONEY-01 half up is floor(x + 1/2) of the exact decimal, mirrored below zero", () => {
    fc.assert(
      fc.property(decimals, fc.nat({ max: 6 }), ({ digits, scale, value }, places) => {
        const unit = 10n ** BigInt(Math.max(0, scale - places))
        const size = digits < 0n ? -digits : digits
        const rounded = Number(`${(2n * size + unit) / (2n * unit)}e-${Math.min(places, scale)}`)
        assert.strictEqual(roundHalfUp(value, places), digits < 0n && rounded !== 0 ? -rounded : rounded)
      }),
      { numRuns: 5_000 }
    )
  })

  it("MONEY-01 rounding is idempotent", () => {
    fc.assert(fc.property(fc.double({ noNaN: true }), fc.nat({ max: 8 }), (value, places) => {
      const once = roundHalfUp(value, places)
      assert.strictEqual(roundHalfUp(once, places), once)
    }))
  })

  it("MONEY-03 a quotient is rounded exactly, ties away from zero", () => {
    assert.strictEqual(divideHalfUp(5n, 2n), 3n)
    assert.strictEqual(divideHalfUp(-5n, 2n), -3n)
    assert.strictEqual(divideHalfUp(4n, 3n), 1n)
    assert.strictEqual(divideHalfUp(0n, 7n), 0n)
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (top, bottom) => {
          const quotient = divideHalfUp(top, bottom)
          const twiceTheError = 2n * (top - quotient * bottom)
          const size = twiceTheError < 0n ? -twiceTheError : twiceTheError
          assert.isTrue(size <= bottom)
          if (size === bottom) assert.isTrue((quotient < 0n ? -quotient : quotient) * bottom > (top < 0n ? -top : top))
        }
      ),
      { numRuns: 2_000 }
    )
    fc.assert(fc.property(fc.bigInt({ min: -1_000n, max: 1_000n }), fc.bigInt({ min: 1n, max: 50n }), (odd, half) => {
      const tie = (2n * odd + 1n) * half
      assert.strictEqual(divideHalfUp(tie, 2n * half), odd >= 0n ? odd + 1n : odd)
    }))
  })
})
