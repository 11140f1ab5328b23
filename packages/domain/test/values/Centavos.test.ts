import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { decode } from "../../src/input/decode.ts"
import {
  addCentavos,
  Centavos,
  centavos,
  centavosHalfUp,
  centavosOfReais,
  maxCentavos,
  Reais,
  reaisOf,
  subtractCentavos,
  sumCentavos,
  zeroCentavos
} from "../../src/values/Centavos.ts"

const amounts = fc.integer({ min: -maxCentavos, max: maxCentavos }).map(centavos)
const smallAmounts = fc.integer({ min: -1_000_000_00, max: 1_000_000_00 }).map(centavos)

const codeOf = (reais: number): string =>
  Result.match(centavosOfReais(reais), { onFailure: ({ code }) => code, onSuccess: () => "accepted" })

describe("Centavos", () => {
  it("MONEY-04 parses at most two decimals, exactly", () => {
    for (
      const [reais, amount] of [
        [1134.41, 113441],
        [0, 0],
        [-0, 0],
        [0.1, 10],
        [0.29, 29],
        [1.1, 110],
        [4.35, 435],
        [-19.9, -1990],
        [1e3, 100000],
        [9999999999999.99, maxCentavos]
      ] as const
    ) {
      assert.deepStrictEqual(centavosOfReais(reais), Result.succeed(centavos(amount)))
    }
    assert.isTrue(Object.is(Result.getOrThrow(centavosOfReais(-0)), 0))
  })

  it("MONEY-04 rejects more decimals instead of rounding", () => {
    for (const reais of [304.65999999999997, 0.1 + 0.2, 1.005, 0.001, 1e-7, 5e-324, 1134.411, 9999999999999.984]) {
      assert.strictEqual(codeOf(reais), "INVALID_FORMAT", `${reais}`)
    }
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 9 }), (amount, thousandths) => {
        fc.pre(Math.abs(amount) < 1e13)
        assert.strictEqual(codeOf(Number(`${amount}${thousandths}e-3`)), "INVALID_FORMAT")
      }),
      { numRuns: examples(2_000) }
    )
  })

  it("MONEY-04 rejects other text and values out of range", () => {
    for (const reais of [Infinity, -Infinity, 1e13, -1e13, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER]) {
      assert.strictEqual(codeOf(reais), "OUT_OF_RANGE", `${reais}`)
    }
    assert.strictEqual(codeOf(NaN), "INVALID_TYPE")
  })

  it("MONEY-04 accepts exactly the numbers that print with at most two decimals", () => {
    const numbers = fc.oneof(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.tuple(smallAmounts, smallAmounts).map(([a, b]) => a / 100 + b / 100),
      fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.nat({ max: 5 })).map(([digits, scale]) =>
        Number(`${digits}e-${scale}`)
      )
    )
    fc.assert(
      fc.property(numbers, (reais) => {
        assert.strictEqual(codeOf(reais) === "accepted", /^-?\d+(\.\d{1,2})?$/.test(String(reais)), `${reais}`)
      }),
      { numRuns: examples(5_000) }
    )
  })

  it("MONEY-05 prints an amount in reais with at most two decimals, and parses it back", () => {
    assert.strictEqual(reaisOf(centavos(113441)), 1134.41)
    assert.strictEqual(JSON.stringify(reaisOf(addCentavos(centavos(10), centavos(20)))), "0.3")
    fc.assert(
      fc.property(amounts, (amount) => {
        const size = String(Math.abs(amount)).padStart(3, "0")
        const printed = `${amount < 0 ? "-" : ""}${size.slice(0, -2)}.${size.slice(-2)}`.replace(/\.?0{1,2}$/, "")
        assert.strictEqual(JSON.stringify(reaisOf(amount)), printed === "" ? "0" : printed)
        assert.deepStrictEqual(centavosOfReais(reaisOf(amount)), Result.succeed(amount))
      }),
      { numRuns: examples(5_000) }
    )
  })

  it("MONEY-06 rounds a computed amount half up to the centavo", () => {
    for (
      const [reais, amount] of [[36.1395, 3614], [1.005, 101], [1.00499, 100], [0.1 + 0.2, 30], [-1.005, -101], [
        0,
        0
      ]] as const
    ) {
      assert.strictEqual(centavosHalfUp(reais), centavos(amount))
    }
    fc.assert(fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (reais) => {
      const amount = centavosHalfUp(reais)
      assert.isTrue(Number.isInteger(amount) && !Object.is(amount, -0))
      assert.isAtMost(Math.abs(amount / 100 - reais), 0.005 + 1e-6)
    }))
    fc.assert(fc.property(amounts, (amount) => assert.strictEqual(centavosHalfUp(reaisOf(amount)), amount)))
    for (const reais of [NaN, Infinity, 1e13]) assert.throws(() => centavosHalfUp(reais), RangeError)
  })

  it("addition is exact and commutative, and subtraction reverses it", () => {
    fc.assert(fc.property(fc.array(smallAmounts), smallAmounts, smallAmounts, (list, a, b) => {
      const exact = list.reduce((sum, one) => sum + BigInt(one), 0n)
      assert.strictEqual(BigInt(sumCentavos(list)), exact)
      assert.strictEqual(sumCentavos(list.toReversed()), sumCentavos(list))
      assert.strictEqual(addCentavos(a, b), addCentavos(b, a))
      assert.strictEqual(subtractCentavos(addCentavos(a, b), b), a)
    }))
    assert.strictEqual(sumCentavos([]), zeroCentavos)
  })

  it("rejects values that are not whole centavos within bounds", () => {
    for (const wrong of [0.5, NaN, Infinity, maxCentavos + 1, -maxCentavos - 1]) {
      assert.throws(() => centavos(wrong), RangeError, `not a whole number of centavos within bounds: ${wrong}`)
      assert.isFalse(Schema.is(Centavos)(wrong))
    }
    assert.throws(() => addCentavos(centavos(maxCentavos), centavos(1)), RangeError)
    assert.throws(() => subtractCentavos(centavos(-maxCentavos), centavos(1)), RangeError)
    assert.isTrue(Object.is(centavos(-0), 0))
  })

  it("MONEY-04 MONEY-05 the encoded amount is a number of reais", () => {
    const decodeReais = decode(Reais)
    assert.deepStrictEqual(decodeReais(1134.41), Result.succeed(centavos(113441)))
    for (
      const [input, code] of [[1.005, "INVALID_FORMAT"], [1e13, "OUT_OF_RANGE"], ["1134.41", "INVALID_TYPE"], [
        null,
        "NOT_NULLABLE"
      ]] as const
    ) {
      assert.deepStrictEqual(
        Result.match(decodeReais(input), {
          onFailure: ({ problems }) => problems.map((problem) => problem.code),
          onSuccess: () => []
        }),
        [code]
      )
    }
    fc.assert(fc.property(amounts, (amount) => {
      assert.deepStrictEqual(
        decodeReais(JSON.parse(JSON.stringify(Schema.encodeSync(Reais)(amount)))),
        Result.succeed(amount)
      )
    }))
    const { definitions, schema } = Schema.toJsonSchemaDocument(Reais)
    assert.deepStrictEqual(definitions, {})
    assert.deepStrictEqual(schema, {
      type: "number",
      description: "Amount in reais (BRL), at most two decimals",
      examples: [1134.41]
    })
  })
})
