import { assert, describe, it } from "@effect/vitest"
import { cpf } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { completeCpf, maskCpf, parseCpf } from "../../src/values/Cpf.ts"
import {
  almostDocuments,
  checkParseIdempotent,
  expectParsed,
  expectRejected,
  longestShown,
  punctuated
} from "./parsing.ts"

const accepts = (text: string): boolean => Result.isSuccess(parseCpf(text))

describe("Cpf", () => {
  it("DOC-01 a CPF is eleven digits; punctuation and surrounding whitespace are dropped", () => {
    expectParsed(parseCpf, "52998224725", "52998224725")
    expectParsed(parseCpf, " 529.982.247-25\n", "52998224725")
    expectParsed(parseCpf, "529 982 247/25", "52998224725")
    fc.assert(fc.property(punctuated(cpf, ".-/ "), ([written, value]) => expectParsed(parseCpf, written, value)))
  })

  it("DOC-01 any other shape is an INVALID_FORMAT", () => {
    const wrong = [
      "",
      " ",
      "5299822472",
      "529982247255",
      "529.982.247-2X",
      "529_982_247_25",
      "-52998224725",
      "52998224725-",
      "529\t98224725",
      "52998224725\u0000",
      "５２９９８２２４７２５",
      "٥٢٩٩٨٢٢٤٧٢٥"
    ]
    for (const text of wrong) expectRejected(parseCpf, text, "INVALID_FORMAT")
    expectRejected(parseCpf, " .".repeat(100_000), "INVALID_FORMAT")
    expectRejected(parseCpf, `5${" ".repeat(200_000)}x`, "INVALID_FORMAT")
  })

  it("DOC-01 wrong check digits and a single repeated digit are an INVALID_CHECK_DIGIT", () => {
    expectRejected(parseCpf, "52998224724", "INVALID_CHECK_DIGIT")
    expectRejected(parseCpf, "52998224735", "INVALID_CHECK_DIGIT")
    for (const digit of "0123456789") expectRejected(parseCpf, digit.repeat(11), "INVALID_CHECK_DIGIT")
  })

  it("DOC-01 exactly one of the hundred endings of nine digits makes a CPF", () => {
    fc.assert(fc.property(cpf, (valid) => {
      const endings = Array.from({ length: 100 }, (_, ending) => String(ending).padStart(2, "0"))
      assert.deepStrictEqual(endings.filter((ending) => accepts(valid.slice(0, 9) + ending)), [valid.slice(9)])
    }))
  })

  it("DOC-01 a parsed CPF parses to itself", () => checkParseIdempotent(parseCpf, almostDocuments))

  /**
   * Remainders 0 and 1 give the same check digit, 0, so an error may hide where it moves a weighted sum between the two.
   * With weights w and w + 1 and an error e, both sums must move by -1, 0 or 1 modulo 11: only the first digit (weights
   * 10 and 11) off by one and the sixth (5 and 6) off by two or nine can.
   */
  it("DOC-01 detects one wrong digit, except the first off by one or the sixth off by two or nine before a check digit 0", () => {
    fc.assert(
      fc.property(cpf, fc.nat({ max: 10 }), fc.integer({ min: 1, max: 9 }), (valid, position, shift) => {
        const digit = (Number(valid[position]) + shift) % 10
        const error = Math.abs(digit - Number(valid[position]))
        fc.pre(!(position === 0 && error === 1 && valid[9] === "0"))
        fc.pre(!(position === 5 && (error === 2 || error === 9) && valid.endsWith("00")))
        expectRejected(parseCpf, valid.slice(0, position) + digit + valid.slice(position + 1), "INVALID_CHECK_DIGIT")
      }),
      { numRuns: 10_000 }
    )
    const twins = [["00000000604", "10000000604"], ["00000003700", "00000203700"], ["00000009300", "00000909300"]]
    for (const twin of twins) assert.isTrue(twin.every(accepts))
  })

  it("DOC-02 a masked CPF shows its middle six digits", () => {
    assert.strictEqual(maskCpf(completeCpf("123456789")), "***.456.789-**")
    fc.assert(fc.property(cpf, (value) => {
      assert.match(maskCpf(value), /^\*{3}\.\d{3}\.\d{3}-\*\*$/)
      assert.isAtMost(longestShown(maskCpf(value), value), 6)
    }))
  })

  it("completeCpf returns a valid CPF and throws if the input cannot begin one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (number) => {
        const nine = String(number).padStart(9, "0")
        if (new Set(nine).size > 1) expectParsed(parseCpf, completeCpf(nine), completeCpf(nine))
      }),
      { numRuns: 5_000 }
    )
    for (const wrong of ["", "12345678", "1234567890", "12345678x", "111111111", "000000000"]) {
      assert.throws(() => completeCpf(wrong), RangeError)
    }
  })
})
