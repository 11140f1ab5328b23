import { assert, describe, it } from "@effect/vitest"
import { alphanumericCnpj, cnpj, numericCnpj } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { completeCnpj, parseCnpj } from "../../src/values/Cnpj.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected, punctuated } from "./parsing.ts"

const accepts = (text: string): boolean => Result.isSuccess(parseCnpj(text))

const replaced = (text: string, position: number, character: string): string =>
  text.slice(0, position) + character + text.slice(position + 1)

describe("Cnpj", () => {
  it("DOC-03 a CNPJ is twelve digits or letters and two digits; punctuation is dropped and letters become upper case", () => {
    expectParsed(parseCnpj, "11.222.333/0001-81", "11222333000181")
    expectParsed(parseCnpj, " 12.ABC.345/01DE-35 ", "12ABC34501DE35")
    expectParsed(parseCnpj, "12abc34501de35", "12ABC34501DE35")
    fc.assert(fc.property(punctuated(cnpj, ".-/ "), ([written, value]) => {
      expectParsed(parseCnpj, written, value)
      expectParsed(parseCnpj, written.toLowerCase(), value)
    }))
  })

  it("DOC-03 any other shape is an INVALID_FORMAT", () => {
    const wrong = [
      "",
      "1122233300018",
      "112223330001811",
      "112223330001A1",
      "112223330001-X1",
      "1122233300018A",
      "11_222_333_0001_81",
      "/11222333000181",
      "12ABC34501DÉ35",
      "12ABC34501DE3５",
      "ſ2ABC34501DE35",
      "ı2ABC34501DE35"
    ]
    for (const text of wrong) expectRejected(parseCnpj, text, "INVALID_FORMAT")
    expectRejected(parseCnpj, `1${"-".repeat(200_000)}`, "INVALID_FORMAT")
  })

  it("DOC-03 wrong check digits and a single repeated digit are an INVALID_CHECK_DIGIT", () => {
    expectRejected(parseCnpj, "11222333000182", "INVALID_CHECK_DIGIT")
    expectRejected(parseCnpj, "11222333000191", "INVALID_CHECK_DIGIT")
    expectRejected(parseCnpj, "12ABC34501DE36", "INVALID_CHECK_DIGIT")
    for (const digit of "0123456789") expectRejected(parseCnpj, digit.repeat(14), "INVALID_CHECK_DIGIT")
  })

  it("DOC-03 exactly one of the hundred endings of twelve characters makes a CNPJ", () => {
    fc.assert(fc.property(cnpj, (valid) => {
      const endings = Array.from({ length: 100 }, (_, ending) => String(ending).padStart(2, "0"))
      assert.deepStrictEqual(endings.filter((ending) => accepts(valid.slice(0, 12) + ending)), [valid.slice(12)])
    }))
  })

  it("DOC-03 a parsed CNPJ parses to itself", () => checkParseIdempotent(parseCnpj, almostDocuments))

  /**
   * As with a CPF, an error is undetected only if it moves both weighted sums by -1 or 1 modulo 11 and both check digits
   * are 0. The two weights of a character must then add up to 11: 5 and 6 (first and ninth), 9 and 2 (fifth).
   */
  it("DOC-03 detects one wrong digit, except the first, fifth or ninth before check digits 00", () => {
    fc.assert(
      fc.property(numericCnpj, fc.nat({ max: 13 }), fc.integer({ min: 1, max: 9 }), (valid, position, shift) => {
        const digit = (Number(valid[position]) + shift) % 10
        const error = Math.abs(digit - Number(valid[position]))
        const hiding = position === 0 || position === 8 ? [2, 9] : position === 4 ? [5, 6] : []
        fc.pre(!(valid.endsWith("00") && hiding.includes(error)))
        expectRejected(parseCnpj, replaced(valid, position, String(digit)), "INVALID_CHECK_DIGIT")
      }),
      { numRuns: examples(10_000) }
    )
    const twins = [["78089161455600", "98089161455600"], ["78089161455600", "78084161455600"], [
      "13661528356500",
      "13667528356500"
    ], ["36703859901500", "36703859001500"]]
    for (const twin of twins) assert.isTrue(twin.every(accepts))
  })

  it("DOC-03 detects one wrong character before check digits other than 00 unless the values differ by a multiple of 11", () => {
    const characters = Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    fc.assert(
      fc.property(cnpj, fc.nat({ max: 11 }), fc.constantFrom(...characters), (valid, position, character) => {
        fc.pre(!valid.endsWith("00"))
        const error = character.charCodeAt(0) - valid.charCodeAt(position)
        const wrong = replaced(valid, position, character)
        if (error % 11 !== 0) expectRejected(parseCnpj, wrong, "INVALID_CHECK_DIGIT")
        else expectParsed(parseCnpj, wrong, wrong)
      }),
      { numRuns: examples(10_000) }
    )
  })

  it("completeCnpj returns a valid CNPJ and throws if the input cannot begin one", () => {
    assert.strictEqual(completeCnpj("12ABC34501DE"), "12ABC34501DE35")
    fc.assert(fc.property(fc.oneof(numericCnpj, alphanumericCnpj), (valid) => {
      expectParsed(parseCnpj, completeCnpj(valid.slice(0, 12)), valid)
    }))
    for (const one of "123456789AZ") assert.isTrue(accepts(completeCnpj(one.repeat(12))))
    for (const wrong of ["", "11222333000", "1122233300018", "11222333000a", "11222333000-", "000000000000"]) {
      assert.throws(() => completeCnpj(wrong), RangeError)
    }
  })
})
