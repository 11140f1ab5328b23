import { assert, describe, it } from "@effect/vitest"
import { illFormedText, nastyText, naughtyText } from "@lastro/testkit"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { parseText, text } from "../../src/validation/Text.ts"
import { reads, readsItsOwnAnswers, refuses } from "../documents/reading.ts"

const parse = parseText({ min: 2, max: 5 })

describe("Text", () => {
  it("TEXT-01 a text is trimmed and brought to NFC", () => {
    reads(parse, " \t\u00a0\ufeffJo\u0061\u0303o\u2028\n", "Jo\u00e3o")
    reads(parse, "\u1100\u1161\u11a8\u1100\u1161", "\uac01\uac00")
    reads(parse, "a  b", "a  b")
  })

  it("TEXT-01 its length is counted in code points of the canonical form", () => {
    reads(parse, "\u{1f600}".repeat(5), "\u{1f600}".repeat(5))
    reads(parse, "e\u0301".repeat(5), "é".repeat(5))
    assert.deepStrictEqual(parse("\u{1f600}".repeat(6)), Result.fail({ code: "TOO_LONG", params: { max: 5 } }))
    assert.deepStrictEqual(parse("abcdef"), Result.fail({ code: "TOO_LONG", params: { max: 5 } }))
    assert.deepStrictEqual(parse(" \u{1f600} "), Result.fail({ code: "TOO_SHORT", params: { min: 2 } }))
    refuses(parse, "", "TOO_SHORT")
    refuses(parse, "e\u0301", "TOO_SHORT")
  })

  it("TEXT-01 control characters and lone surrogates are an INVALID_FORMAT", () => {
    for (
      const wrong of [
        "a\u0000",
        "\u0000b",
        "a\nb",
        "a\tb",
        "a\u007fb",
        "a\u0085b",
        "\ud800a",
        "a\udc00",
        "\udc00\ud800"
      ]
    ) {
      refuses(parse, wrong, "INVALID_FORMAT")
    }
  })

  it("TEXT-01 four code points that compose to one are within bounds, and longer texts are not normalised", () => {
    reads(parse, "\u03b1\u0313\u0300\u0345".repeat(5), "\u1f82".repeat(5))
    refuses(parse, "\u0315".repeat(60_000) + "\u0300".repeat(60_000), "TOO_LONG")
    refuses(parse, " ".repeat(250_000), "TOO_SHORT")
  })

  it("TEXT-01 what is read reads as itself, and is stored by UTF-8 and PostgreSQL alike", () => {
    const parseAny = parseText({ min: 0, max: 200 })
    readsItsOwnAnswers(parseAny, fc.oneof(illFormedText, nastyText, naughtyText))
    fc.assert(
      fc.property(illFormedText, (input) => {
        const result = parseAny(input)
        if (Result.isFailure(result)) return
        assert.isTrue(result.success.isWellFormed())
        assert.isFalse(result.success.includes("\u0000"))
        assert.strictEqual(result.success, result.success.trim().normalize("NFC"))
      }),
      { numRuns: 2_000 }
    )
  })

  it("TEXT-01 the bounds stand in the JSON schema", () => {
    const { schema } = Schema.toJsonSchemaDocument(text({ min: 2, max: 5, description: "A name" }), {
      includeAnnotationKey: (key) => key === "minLength" || key === "maxLength"
    })
    assert.deepStrictEqual(schema, { type: "string", description: "A name", minLength: 2, maxLength: 5 })
  })
})
