import { assert, describe, it } from "@effect/vitest"
import { codePoint } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { parseText } from "../../src/input/Text.ts"
import { checkParseIdempotent, expectParsed, expectRejected } from "../values/parsing.ts"

const name = parseText({ min: 2, max: 5 })

describe("Text", () => {
  it("TEXT-01 a text is trimmed and normalised to NFC", () => {
    expectParsed(name, " \t\u00a0Ana\u3000\n", "Ana")
    expectParsed(name, "Jose\u0301", "José")
    expectParsed(name, "A  b", "A  b")
    expectParsed(name, "\ufeffAna", "Ana")
  })

  it("TEXT-01 length bounds count code points after trimming and NFC", () => {
    expectRejected(name, "A", "TOO_SHORT")
    expectRejected(name, "  A  ", "TOO_SHORT")
    expectRejected(name, "", "TOO_SHORT")
    expectRejected(name, "e\u0301", "TOO_SHORT")
    expectParsed(name, "😀😀😀😀😀", "😀😀😀😀😀")
    expectRejected(name, "😀😀😀😀😀😀", "TOO_LONG")
    expectParsed(name, "abcde", "abcde")
    expectRejected(name, "abcdef", "TOO_LONG")
    expectParsed(name, "e\u0301".repeat(5), "é".repeat(5))
    assert.deepStrictEqual(name("A"), Result.fail({ code: "TOO_SHORT", params: { min: 2 } }))
    assert.deepStrictEqual(name("abcdef"), Result.fail({ code: "TOO_LONG", params: { max: 5 } }))
  })

  it("T21 TEXT-01 a control character is an INVALID_FORMAT at any position", () => {
    for (const unit of ["\u0000", "\u0001", "\u001b", "\u007f", "\u0085", "\u009f", "\n", "\t", "\r"]) {
      expectRejected(name, `a${unit}b`, "INVALID_FORMAT")
    }
    expectRejected(name, "\u0000ab", "INVALID_FORMAT")
    expectRejected(name, "ab\u0000", "INVALID_FORMAT")
  })

  it("T22 TEXT-01 a lone surrogate is an INVALID_FORMAT", () => {
    expectRejected(name, "a\ud83d", "INVALID_FORMAT")
    expectRejected(name, "\ude00ab", "INVALID_FORMAT")
    expectRejected(name, "\ude00\ud83d", "INVALID_FORMAT")
  })

  it("TEXT-01 invisible, bidirectional and line-separating characters are an INVALID_FORMAT at any position", () => {
    const zeroWidth = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"]
    const directions = ["\u200e", "\u200f", "\u061c", "\u202a", "\u202e", "\u2066", "\u2069"]
    const ignorable = [
      "\u00ad",
      "\u034f",
      "\u115f",
      "\u1160",
      "\u17b4",
      "\u180b",
      "\u3164",
      "\uffa0",
      "\ufe0f",
      "\u{e0041}"
    ]
    for (const hidden of [...zeroWidth, ...directions, ...ignorable, "\u2028", "\u2029"]) {
      expectRejected(name, `ab${hidden}c`, "INVALID_FORMAT")
    }
    for (const hidden of ["\u200b", "\u3164", "\u115f"]) expectRejected(name, hidden + hidden, "INVALID_FORMAT")
    expectParsed(name, "\u2028Ana\u2029", "Ana")
  })

  it("T17 TEXT-01 a very long text is too long without being normalised", () => {
    expectRejected(name, `a${"\u0301\u0323".repeat(500_000)}`, "TOO_LONG")
    expectParsed(name, `${" ".repeat(500_000)}Ana${" ".repeat(500_000)}`, "Ana")
  })

  it("TEXT-01 the longest decomposition of the longest text is accepted", () => {
    // Four code points of two code units each compose into at most one.
    expectParsed(name, "\u03b1\u0313\u0300\u0345".repeat(5), "\u1f82".repeat(5))
  })

  it("TEXT-01 a parsed text parses to itself", () => {
    checkParseIdempotent(
      name,
      fc.oneof(
        fc.string({ unit: codePoint, maxLength: 8 }),
        fc.string({
          unit: fc.constantFrom(..." \u2000\u2001\u037e\u1fefaé\u0301\u0323\u1100\u1161\u11a8\u0345\u03b1"),
          maxLength: 8
        })
      )
    )
  })

  it("T23 TEXT-01 canonically equivalent texts parse to the same text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint, maxLength: 5 }),
        (input) => assert.deepStrictEqual(name(input.normalize("NFD")), name(input.normalize("NFC")))
      )
    )
  })
})
