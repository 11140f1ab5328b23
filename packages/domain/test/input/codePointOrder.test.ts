import { assert, describe, it } from "@effect/vitest"
import { illFormedText, unicodeText } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { codePointOrder } from "../../src/input/compareBy.ts"

/** The definition: comparison character by character. */
const reference = (self: string, that: string): number => {
  const [one, other] = [self, that].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0))
  for (const [index, codePoint] of (one ?? []).entries()) {
    const counterpart = other?.[index]
    if (counterpart === undefined) return 1
    if (codePoint !== counterpart) return codePoint < counterpart ? -1 : 1
  }
  return (one ?? []).length === (other ?? []).length ? 0 : -1
}

const utf8 = new TextEncoder()

describe("codePointOrder", () => {
  it("PAGE-07 puts the supplementary planes after the basic plane, unlike UTF-16", () => {
    const ordered = ["", "A", "a", "a\u0000", "aa", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"]
    for (const [index, text] of ordered.entries()) {
      for (const [another, other] of ordered.entries()) {
        assert.strictEqual(codePointOrder(text, other), Math.sign(index - another), `${index} ${another}`)
      }
    }
  })

  it("PAGE-07 equals comparison by code points for any two texts, well formed or not", () => {
    fc.assert(
      fc.property(illFormedText, illFormedText, illFormedText, (common, one, other) => {
        for (
          const [a, b] of [[one, other], [common, one], [common, other], [common + one, common + other]] as const
        ) {
          assert.strictEqual(codePointOrder(a, b), reference(a, b))
        }
      }),
      { numRuns: examples(5_000) }
    )
  })

  it("PAGE-07 equals the order of UTF-8 bytes, as in PostgreSQL's collation C", () => {
    fc.assert(
      fc.property(unicodeText, unicodeText, unicodeText, (common, one, other) => {
        const [first, second] = [utf8.encode(common + one), utf8.encode(common + other)]
        const at = first.findIndex((byte, index) => byte !== second[index])
        const bytes = at < 0
          ? Math.sign(first.length - second.length)
          : Math.sign((first[at] ?? 0) - (second[at] ?? -1))
        assert.strictEqual(codePointOrder(common + one, common + other), bytes)
      }),
      { numRuns: examples(2_000) }
    )
  })

  it("PAGE-07 is a total order in which only identical texts are equal", () => {
    fc.assert(
      fc.property(illFormedText, illFormedText, illFormedText, (a, b, c) => {
        for (const [x, y, z] of [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] as const) {
          assert.strictEqual(codePointOrder(x, y) === 0, x === y)
          assert.strictEqual(codePointOrder(x, y) + codePointOrder(y, x), 0)
          if (codePointOrder(x, y) <= 0 && codePointOrder(y, z) <= 0) assert.ok(codePointOrder(x, z) <= 0)
        }
      }),
      { numRuns: examples(3_000) }
    )
  })
})
