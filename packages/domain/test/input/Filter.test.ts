import { assert, describe, it } from "@effect/vitest"
import { illFormedText, unicodeText } from "@lastro/testkit/arbitraries"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import {
  boundedText,
  filterOf,
  type FilterParser,
  parseChoiceFilter,
  parseChoicesFilter,
  parseCpfFilter,
  parseDocumentFilter,
  parseTextFilter
} from "../../src/input/Filter.ts"
import { foldText, matchesFolded } from "../../src/input/fold.ts"
import { PartnerId } from "../../src/values/ids.ts"
import { parseIdFilter } from "../../src/values/Uuid.ts"

const parseStatus = parseChoiceFilter(["active", "inactive"])
const parseId = parseIdFilter(PartnerId)

/** The result of a filter: a value, no filter, or the code of the problem. */
const read = <A extends string>(parse: FilterParser<A>, text: string): string =>
  Result.match(parse(text), {
    onSuccess: Option.match({ onNone: () => "no filter", onSome: (value) => `value ${value}` }),
    onFailure: ({ code }) => code
  })

describe("Filter", () => {
  it("PAGE-14 only an empty text means no filter", () => {
    for (const parse of [parseTextFilter, parseDocumentFilter, parseCpfFilter, parseStatus, parseId]) {
      assert.deepStrictEqual<unknown>(parse(""), Result.succeed(Option.none()))
    }
    assert.strictEqual(read(filterOf<string>(Result.succeed), " "), "value  ")
    assert.strictEqual(read(parseTextFilter, " "), `value ${foldText(" ")}`)
    assert.strictEqual(read(parseStatus, " "), "UNKNOWN_VALUE")
  })

  it("PAGE-15 T17 a text of more than 200 code points is TOO_LONG", () => {
    assert.ok(Result.isSuccess(boundedText("a".repeat(200))))
    assert.ok(Result.isSuccess(boundedText("\u{1f600}".repeat(200))))
    assert.ok(Result.isFailure(boundedText("\u{1f600}".repeat(201))))
    for (const parse of [parseTextFilter, parseDocumentFilter, parseCpfFilter]) {
      assert.ok(Result.isSuccess(parse("1".repeat(200))))
      assert.deepStrictEqual<unknown>(parse("1".repeat(201)), Result.fail({ code: "TOO_LONG", params: { max: 200 } }))
      for (const text of ["%", ".", "-", "\u0301", "\u0000", "\ud800", "(a+)+"]) {
        assert.strictEqual(read(parse, text.repeat(10_000)), "TOO_LONG")
      }
    }
  })

  it("PAGE-16 T16 a text filter is folded; wildcards and whitespace are literal", () => {
    assert.strictEqual(read(parseTextFilter, "José"), `value ${foldText("jose")}`)
    assert.strictEqual(read(parseTextFilter, "  "), `value ${foldText("  ")}`)
    assert.strictEqual(read(parseTextFilter, "50%_\\"), `value ${foldText("50%_\\")}`)
    assert.strictEqual(read(parseTextFilter, "\u{1f600}"), `value ${foldText("\u{1f600}")}`)
  })

  it("PAGE-16 T21 T22 control characters, lone surrogates and text of marks alone are an INVALID_FORMAT", () => {
    for (const text of ["\u0000", "a\u0000b", "a\tb", "a\n", "\u007f", "\u0085", "\ud800", "a\udc00", "\udc00\ud800"]) {
      assert.strictEqual(read(parseTextFilter, text), "INVALID_FORMAT")
    }
    for (const text of ["\u0301", "\u0301\u0327\ufe0f"]) {
      assert.strictEqual(read(parseTextFilter, text), "INVALID_FORMAT")
    }
  })

  it("PAGE-16 an accepted text filter matches its source text and is never empty", () => {
    fc.assert(
      fc.property(illFormedText, unicodeText, (text, around) => {
        const result = parseTextFilter(text)
        if (Result.isFailure(result) || Option.isNone(result.success)) {
          assert.ok(
            text === "" || !text.isWellFormed() || /\p{Cc}/u.test(text) || foldText(text) === "" || text.length > 200
          )
        } else {
          assert.notStrictEqual<string>(result.success.value, "")
          assert.ok(matchesFolded(foldText(around + text.toUpperCase() + around), foldText(text.toUpperCase())))
          assert.ok(matchesFolded(foldText(around + text + around), result.success.value))
        }
      }),
      { numRuns: 5_000 }
    )
  })

  it("PAGE-17 a document filter keeps digits and letters, converted to upper case", () => {
    assert.strictEqual(read(parseDocumentFilter, "12.345.678/0001-95"), "value 12345678000195")
    assert.strictEqual(read(parseDocumentFilter, "12abc"), "value 12ABC")
    assert.strictEqual(read(parseDocumentFilter, " 1 "), "value 1")
    for (const text of [".", "-/. ", "12%", "1_", "1\\", "1,2", "١", "é", "ı", "1\t2", "1\u0000", "\u00a0", "(11)"]) {
      assert.strictEqual(read(parseDocumentFilter, text), "INVALID_FORMAT")
    }
  })

  it("PAGE-18 a CPF filter keeps digits and rejects anything else", () => {
    assert.strictEqual(read(parseCpfFilter, "529.982.247-25"), "value 52998224725")
    assert.strictEqual(read(parseCpfFilter, "982"), "value 982")
    for (const text of [".", " ", "a", "12a", "12A", "%", "1_", "1\n"]) {
      assert.strictEqual(read(parseCpfFilter, text), "INVALID_FORMAT")
    }
  })

  it("PAGE-17 PAGE-18 punctuation is ignored everywhere", () => {
    const punctuated = fc.array(
      fc.tuple(fc.constantFrom(..."0123456789"), fc.constantFrom("", ".", "-", "/", " ", ". -")),
      {
        minLength: 1,
        maxLength: 14
      }
    )
    fc.assert(
      fc.property(punctuated, (parts) => {
        const digits = parts.map(([digit]) => digit).join("")
        assert.strictEqual(read(parseCpfFilter, parts.flat().join("")), `value ${digits}`)
        assert.strictEqual(read(parseDocumentFilter, parts.flat().join("")), `value ${digits}`)
      }),
      { numRuns: 1_000 }
    )
  })

  it("PAGE-19 a choice filter is exactly one of the allowed values", () => {
    assert.strictEqual(read(parseStatus, "active"), "value active")
    assert.deepStrictEqual<unknown>(
      parseStatus("ACTIVE"),
      Result.fail({ code: "UNKNOWN_VALUE", params: { allowed: "active, inactive" } })
    )
    for (const text of ["active ", "activ", "active,inactive", "constructor", "x".repeat(10_000)]) {
      assert.strictEqual(read(parseStatus, text), "UNKNOWN_VALUE")
    }
  })

  it("PAGE-20 an id filter is a canonical UUID in any letter case", () => {
    const id = PartnerId.make("0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40")
    assert.strictEqual(read(parseId, id), `value ${id}`)
    assert.strictEqual(read(parseId, id.toUpperCase()), `value ${id}`)
    for (
      const text of [`{${id}}`, id.replaceAll("-", ""), ` ${id}`, id.slice(1), `${id}0`, "x", "%", "a".repeat(10_000)]
    ) {
      assert.strictEqual(read(parseId, text), "INVALID_FORMAT")
    }
  })

  it("PAGE-32 several choices are repeated or separated by commas, and an empty piece is refused", () => {
    const { owns, parse } = parseChoicesFilter("status", ["PAID", "SETTLED", "REFUNDED"])
    const readStatus = (status: string | ReadonlyArray<string>) =>
      Result.match(parse({ status }), {
        onSuccess: Option.match({ onNone: () => "none", onSome: (chosen) => chosen.join(" ") }),
        onFailure: (problems) => problems.map(({ code, field }) => `${field} ${code}`).join(" ")
      })
    assert.deepStrictEqual([owns("status"), owns("state")], [true, false])
    assert.strictEqual(readStatus("PAID"), "PAID")
    assert.strictEqual(readStatus("SETTLED,PAID"), "PAID SETTLED")
    assert.strictEqual(readStatus(["SETTLED", "PAID,SETTLED", "PAID"]), "PAID SETTLED")
    for (const none of ["", [], [""]]) assert.strictEqual(readStatus(none), "none")
    for (const wrong of ["PAID,", ",", "paid", " PAID", "PAID,,SETTLED", ["PAID", ""], ["", ""], "PAID SETTLED"]) {
      assert.strictEqual(readStatus(wrong), "query.status UNKNOWN_VALUE", String(wrong))
    }
  })
})
