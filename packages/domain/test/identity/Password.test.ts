import { assert, describe, it } from "@effect/vitest"
import { codePoint } from "@lastro/testkit/arbitraries"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { parsePassword, Password, passwordForms } from "../../src/identity/Password.ts"
import { decode } from "../../src/input/decode.ts"
import { expectProblems } from "../input/problems.ts"
import { checkParseIdempotent, expectParsed, expectRejected } from "../values/parsing.ts"

describe("Password", () => {
  it("AUTH-06 a password has 12 to 128 characters, counted as code points", () => {
    expectRejected(parsePassword, "a".repeat(11), "TOO_SHORT")
    expectParsed(parsePassword, "a".repeat(12), "a".repeat(12))
    expectParsed(parsePassword, "a".repeat(128), "a".repeat(128))
    expectRejected(parsePassword, "a".repeat(129), "TOO_LONG")
    expectRejected(parsePassword, "😀".repeat(11), "TOO_SHORT")
    expectParsed(parsePassword, "😀".repeat(128), "😀".repeat(128))
    expectRejected(parsePassword, "😀".repeat(129), "TOO_LONG")
    expectRejected(parsePassword, "", "TOO_SHORT")
  })

  it("T17 AUTH-06 a text that is far too long is refused without the quadratic time of normalisation", () => {
    const marks = "a" + "\u0301\u0323".repeat(60_000)
    expectRejected(parsePassword, marks, "TOO_LONG")
    assert.strictEqual(passwordForms(Redacted.make(marks)).length, 1)
    expectRejected(parsePassword, "é".repeat(129), "TOO_LONG")
    expectParsed(parsePassword, "e\u0301".repeat(128), "é".repeat(128))
  })

  it("AUTH-06 a password is not trimmed", () => {
    for (const typed of ["  spaces around  ", "\ttab and newline\n", "            "]) {
      expectParsed(parsePassword, typed, typed)
    }
  })

  it("T23 AUTH-06 canonically equivalent passwords parse to the same password, in NFC", () => {
    expectParsed(parsePassword, "e\u0301".repeat(12), "é".repeat(12))
    expectRejected(parsePassword, "e\u0301".repeat(8), "TOO_SHORT")
    const typed = fc.string({ unit: fc.constantFrom(..."aé\u0301\u0327çÅ\u212b"), minLength: 12, maxLength: 40 })
    fc.assert(fc.property(typed, (text) => {
      assert.deepStrictEqual(parsePassword(text.normalize("NFD")), parsePassword(text.normalize("NFC")))
    }))
  })

  it("AUTH-17 a password is verified in NFC, and then as sent if that differs", () => {
    const forms = (sent: string) => passwordForms(Redacted.make(sent)).map(Redacted.value)
    assert.deepStrictEqual(forms("e\u0301"), ["é", "e\u0301"])
    fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 40 }), (sent) => {
      const nfc = sent.normalize("NFC")
      assert.deepStrictEqual(forms(sent), nfc === sent ? [nfc] : [nfc, sent])
    }))
  })

  it("T21 T22 AUTH-06 NUL and lone surrogates are an INVALID_FORMAT", () => {
    expectRejected(parsePassword, `${"a".repeat(12)}\u0000`, "INVALID_FORMAT")
    expectRejected(parsePassword, `${"a".repeat(12)}\ud83d`, "INVALID_FORMAT")
  })

  it("AUTH-06 a parsed password parses to itself", () =>
    checkParseIdempotent(parsePassword, fc.string({ unit: codePoint, minLength: 8, maxLength: 140 })))

  it("AUTH-06 the schema applies the same rule", () => {
    const read = decode(Password)
    expectProblems(read("short", ["password"]), ["password TOO_SHORT"])
    expectProblems(read(null, ["password"]), ["password NOT_NULLABLE"])
    expectProblems(read(123_456_789_012, ["password"]), ["password INVALID_TYPE"])
  })
})
