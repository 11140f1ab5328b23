import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import { problem } from "../../src/input/FieldProblem.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { fractionOf, parsePercent, Percent, percent, percentOf } from "../../src/values/Percent.ts"

const millionths = fc.integer({ min: 0, max: 999_999_999_999_999 })

const codeOf = (value: number): string =>
  Result.match(parsePercent(value), { onFailure: ({ code }) => code, onSuccess: () => "accepted" })

describe("Percent", () => {
  it("MONEY-07 parses at most six decimals, exactly", () => {
    for (const value of [1.8, 0, 145.08, 0.38, 0.0082, 0.000001, 999999999.999999]) {
      assert.deepStrictEqual(parsePercent(value), Result.succeed(percent(value)))
    }
    assert.isTrue(Object.is(percent(-0), 0))
    fc.assert(
      fc.property(millionths, (units) => {
        const value = Number(`${units}e-6`)
        assert.deepStrictEqual<unknown>(parsePercent(value), Result.succeed(value))
      }),
      { numRuns: 1_000 }
    )
    const exactWithSevenDecimals = fc.integer({ min: 0, max: 1e13 - 1 })
    fc.assert(
      fc.property(exactWithSevenDecimals, fc.integer({ min: 1, max: 9 }), (units, more) => {
        assert.strictEqual(codeOf(Number(`${units}${more}e-7`)), "INVALID_FORMAT")
      }),
      { numRuns: 1_000 }
    )
  })

  it("MONEY-07 rejects more decimals and non-finite values", () => {
    for (const value of [1.8000001, 0.1 + 0.2, 1e-7, 5e-324]) assert.strictEqual(codeOf(value), "INVALID_FORMAT")
    for (const value of [1e9, -1e9, -1, -0.000001, Infinity, -Infinity]) {
      assert.strictEqual(codeOf(value), "OUT_OF_RANGE")
    }
    assert.strictEqual(codeOf(NaN), "INVALID_TYPE")
    assert.deepStrictEqual(parsePercent(-1), Result.fail(problem("OUT_OF_RANGE", { min: 0 })))
    assert.throws(() => percent(0.1 + 0.2), /^not a percentage: INVALID_FORMAT: 0\.30000000000000004$/)
    assert.throws(() => percent(-1), RangeError, "not a percentage: OUT_OF_RANGE: -1")
  })

  it("MONEY-07 the encoded rate is a number of percent", () => {
    const decodePercent = decode(Percent)
    assert.deepStrictEqual(decodePercent(1.8), Result.succeed(percent(1.8)))
    assert.isTrue(Result.isFailure(decodePercent("1.8")))
    assert.isTrue(Result.isFailure(decodePercent(0.1 + 0.2)))
    assert.isFalse(Schema.is(Schema.toType(Percent))("1.8"))
    fc.assert(fc.property(millionths, (units) => {
      const rate = percent(Number(`${units}e-6`))
      assert.deepStrictEqual(
        decodePercent(JSON.parse(JSON.stringify(Schema.encodeSync(Percent)(rate)))),
        Result.succeed(rate)
      )
    }))
    const { definitions, schema } = Schema.toJsonSchemaDocument(Percent)
    assert.deepStrictEqual(definitions, {})
    assert.strictEqual(schema["type"], "number")
  })

  it("MONEY-08 a percentage of an amount is exact, rounded half up to the centavo", () => {
    assert.strictEqual(percentOf(percent(0.38), centavos(3614)), centavos(14))
    assert.strictEqual(percentOf(percent(0.38), centavos(12500)), centavos(48))
    assert.strictEqual(percentOf(percent(10), centavos(113441)), centavos(11344))
    assert.strictEqual(percentOf(percent(10), centavos(113445)), centavos(11345))
    assert.strictEqual(percentOf(percent(10), centavos(-5)), centavos(-1))
    assert.isTrue(Object.is(percentOf(percent(10), centavos(-4)), 0))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_000 }),
        fc.integer({ min: 0, max: 1_000_000_000 }),
        (units, amount) => {
          const exact = (2n * BigInt(units) * BigInt(amount) + 100_000_000n) / 200_000_000n
          assert.strictEqual(BigInt(percentOf(percent(Number(`${units}e-6`)), centavos(amount))), exact)
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it("the fraction is exactly a hundredth of the rate", () => {
    assert.strictEqual(fractionOf(percent(1.8)), 0.018)
    fc.assert(fc.property(millionths, (units) => {
      assert.strictEqual(fractionOf(percent(Number(`${units}e-6`))), Number(`${units}e-8`))
    }))
  })
})
