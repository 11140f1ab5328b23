import { assert, describe, it } from "@effect/vitest"
import { integerText } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { problem } from "../../src/input/FieldProblem.ts"
import {
  normalisePageNumber,
  normalisePageSize,
  offsetOf,
  parseInteger,
  parsePage,
  parseSize
} from "../../src/input/PageRequest.ts"

/** Clamps a page request to the bounds. */
const normalisePage = (
  { number, size }: { readonly number?: number | undefined; readonly size?: number | undefined }
) => ({
  number: normalisePageNumber(number),
  size: normalisePageSize(size)
})

const notAnInteger = problem("INVALID_TYPE", { expected: "integer" })

/** The same rule on exact integers. */
const clamp = (text: string, least: bigint, most: bigint): number => {
  const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text)
  return Number(value < least ? least : value > most ? most : value)
}

describe("PageRequest", () => {
  it("PAGE-02 a page number below 0 becomes 0, above 10^9 becomes 10^9, and defaults to 0", () => {
    const cases: ReadonlyArray<readonly [number | undefined, number]> = [
      [undefined, 0],
      [-1, 0],
      [-0, 0],
      [-0.5, 0],
      [0, 0],
      [7, 7],
      [7.9, 7],
      [1e9, 1e9],
      [1e9 + 1, 1e9],
      [Number.MAX_VALUE, 1e9],
      [Infinity, 1e9],
      [-Infinity, 0],
      [NaN, 0]
    ]
    for (const [given, number] of cases) assert.ok(Object.is(normalisePageNumber(given), number), String(given))
  })

  it("PAGE-03 a page size below 1 becomes 1, above 100 becomes 100, and defaults to 20", () => {
    const cases: ReadonlyArray<readonly [number | undefined, number]> = [
      [undefined, 20],
      [-5, 1],
      [0, 1],
      [0.9, 1],
      [1, 1],
      [100, 100],
      [100.5, 100],
      [101, 100],
      [Infinity, 100],
      [-Infinity, 1],
      [NaN, 20]
    ]
    for (const [given, size] of cases) assert.ok(Object.is(normalisePageSize(given), size), String(given))
  })

  it("PAGE-02 PAGE-03 normalisation is total, idempotent and within bounds, and the offset is exact", () => {
    const numbers = fc.option(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), { nil: undefined })
    fc.assert(
      fc.property(numbers, numbers, (number, size) => {
        const page = normalisePage({ number, size })
        assert.ok(Number.isInteger(page.number) && page.number >= 0 && page.number <= 1e9)
        assert.ok(Number.isInteger(page.size) && page.size >= 1 && page.size <= 100)
        assert.deepStrictEqual(normalisePage(page), page)
        assert.strictEqual(BigInt(offsetOf(page)), BigInt(page.number) * BigInt(page.size))
      }),
      { numRuns: 2_000 }
    )
  })

  it("PAGE-02 PAGE-03 PAGE-04 T19 integers of any length are parsed exactly within the bounds", () => {
    fc.assert(
      fc.property(integerText, (text) => {
        assert.deepStrictEqual(parsePage(text), Result.succeed(clamp(text, 0n, 1_000_000_000n)))
        assert.deepStrictEqual(parseSize(text), Result.succeed(clamp(text, 1n, 100n)))
      }),
      { numRuns: 2_000 }
    )
  })

  it("PAGE-04 T19 an integer is decimal digits with an optional minus sign", () => {
    for (const text of ["0", "-1", "007", "-0", "9007199254740993", String(2n ** 63n), "9".repeat(10_000)]) {
      assert.ok(Result.isSuccess(parseInteger(text)), text)
    }
    for (
      const text of [
        "",
        " ",
        "-",
        "--1",
        "+1",
        " 1",
        "1 ",
        "1\n",
        "1.0",
        "1e2",
        "1e308",
        "0x10",
        "1_000",
        "NaN",
        "Infinity",
        "null",
        "١",
        "1\u0000",
        `${"9".repeat(10_000)}x`
      ]
    ) {
      assert.deepStrictEqual(parsePage(text), Result.fail(notAnInteger), text)
      assert.deepStrictEqual(parseSize(text), Result.fail(notAnInteger), text)
    }
  })

  it("PAGE-04 any text is an integer or an INVALID_TYPE", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789-+. e") })), (text) => {
        const integer = [...text].every((character, index) =>
          (character === "-" && index === 0) || (character >= "0" && character <= "9")
        ) && text.replace("-", "") !== ""
        assert.strictEqual(Result.isSuccess(parseInteger(text)), integer)
      }),
      { numRuns: 2_000 }
    )
  })

  it("PAGE-01 the first value of a repeated page or size counts", () => {
    assert.deepStrictEqual(parsePage(["3", "x"]), Result.succeed(3))
    assert.deepStrictEqual(parsePage(["x", "3"]), Result.fail(notAnInteger))
    assert.deepStrictEqual(parseSize(["5", "6"]), Result.succeed(5))
    assert.deepStrictEqual(parsePage([]), Result.succeed(0))
    assert.deepStrictEqual(parseSize(undefined), Result.succeed(20))
  })
})
