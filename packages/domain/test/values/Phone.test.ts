import { describe, it } from "@effect/vitest"
import { phone } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { parsePhone } from "../../src/values/Phone.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected, punctuated } from "./parsing.ts"

describe("Phone", () => {
  it("DOC-10 a phone number is ten or eleven digits; punctuation is dropped", () => {
    expectParsed(parsePhone, "(11) 98765-4321", "11987654321")
    expectParsed(parsePhone, "11 3333.4444", "1133334444")
    expectParsed(parsePhone, " 55 98765 4321 ", "55987654321")
    fc.assert(fc.property(punctuated(phone, ".-/ ()"), ([written, value]) => expectParsed(parsePhone, written, value)))
  })

  it("DOC-10 the country code 55 is dropped from twelve or thirteen digits only", () => {
    expectParsed(parsePhone, "+55 (11) 98765-4321", "11987654321")
    expectParsed(parsePhone, "5511987654321", "11987654321")
    expectParsed(parsePhone, "551133334444", "1133334444")
    expectParsed(parsePhone, "5533334444", "5533334444")
    expectParsed(parsePhone, "55933334444", "55933334444")
    fc.assert(fc.property(phone, fc.constantFrom("55", "+55", "+55 "), (value, prefix) => {
      expectParsed(parsePhone, prefix + value, value)
    }))
  })

  it("DOC-10 anything else is an INVALID_FORMAT", () => {
    const wrong = [
      "",
      "+",
      "987654321",
      "119876543210",
      "11887654321",
      "01987654321",
      "10987654321",
      "01133334444",
      "+11987654321",
      "+5433334444",
      "+541133334444",
      "+5533334444",
      "5411987654321",
      "55119876543210",
      "11 98765-432a",
      "11_98765_4321",
      "11\t987654321",
      "11987654321 ramal 2",
      "1198765432１",
      "+55+11987654321"
    ]
    for (const text of wrong) expectRejected(parsePhone, text, "INVALID_FORMAT")
    expectRejected(parsePhone, "(".repeat(250_000), "INVALID_FORMAT")
    expectRejected(parsePhone, `1${" ".repeat(250_000)}x`, "INVALID_FORMAT")
  })

  it("DOC-10 a parsed phone number parses to itself", () => checkParseIdempotent(parsePhone, almostDocuments))
})
