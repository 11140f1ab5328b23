import { assert, describe, it } from "@effect/vitest"
import { illFormedText, unicodeText } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { foldText, matchesFolded } from "../../src/input/fold.ts"

const all = Array.from({ length: 0x110000 }, (_, codePoint) => {
  const character = String.fromCodePoint(codePoint)
  return { character, folded: foldText(character) }
})

/** The code points that break a law, limited to ten because there are a million of them. */
const breaking = (law: (character: string, folded: string) => boolean): ReadonlyArray<string | undefined> =>
  all.filter(({ character, folded }) => !law(character, folded))
    .slice(0, 10)
    .map(({ character }) => character.codePointAt(0)?.toString(16))

describe("foldText", () => {
  it("PAGE-05 drops accents and letter case", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["José", "jose"],
      ["JOSE\u0301", "jose"],
      ["São João d'Aliança", "sao joao d'alianca"],
      ["Straße", "strasse"],
      ["STRASSE", "strasse"],
      ["STRAẞE", "strasse"],
      ["İstanbul", "istanbul"],
      ["ISTANBUL", "istanbul"],
      ["ΣΊΣΥΦΟΣ", "σισυφοσ"],
      ["Σίσυφος", "σισυφοσ"],
      ["\u212angström \u212b", "kngstrom a"],
      ["%_\\", "%_\\"],
      [" \t", " \t"],
      ["\u0301\u0327", ""],
      ["", ""]
    ]
    for (const [text, folded] of cases) assert.strictEqual(foldText(text), folded)
  })

  it("PAGE-05 folding is idempotent for every code point", () => {
    assert.deepStrictEqual(breaking((character, folded) => folded === character || foldText(folded) === folded), [])
  })

  it("PAGE-05 the folded form of every code point is decomposed and contains no mark", () => {
    assert.deepStrictEqual(breaking((_, folded) => !/\p{M}/u.test(folded) && folded.normalize("NFD") === folded), [])
  })

  it("PAGE-05 composed, decomposed and lower-cased text have the same fold, for every code point", () => {
    const law = (character: string, folded: string): boolean => {
      const hasFold = (variant: string): boolean => variant === character || foldText(variant) === folded
      return hasFold(character.normalize("NFC"))
        && hasFold(character.normalize("NFD"))
        && hasFold(character.toLowerCase())
    }
    assert.deepStrictEqual(breaking(law), [])
  })

  it("PAGE-05 upper-cased text has the same fold, for every code point without an iota subscript", () => {
    // The iota subscript is a combining mark and is dropped. Its capital is a separate letter.
    const law = (character: string, folded: string): boolean => {
      const upper = character.toUpperCase()
      return upper === character || character.normalize("NFD").includes("\u0345") || foldText(upper) === folded
    }
    assert.deepStrictEqual(breaking(law), [])
  })

  it("PAGE-05 folding is idempotent for any text", () => {
    fc.assert(
      fc.property(illFormedText, (text) => {
        assert.strictEqual(foldText(foldText(text)), foldText(text))
      }),
      { numRuns: examples(2_000) }
    )
  })

  it("PAGE-05 combining marks in the text are dropped as after decomposition", () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        const decomposed = text.normalize("NFD").replace(/\p{M}/gu, "")
        assert.strictEqual(foldText(text), foldText(decomposed))
      }),
      { numRuns: examples(2_000) }
    )
  })

  it("PAGE-05 T17 long text is folded in full", () => {
    assert.strictEqual(foldText("E\u0301\u0327".repeat(100_000)), "e".repeat(100_000))
    assert.strictEqual(foldText("a" + "\u0301\u0327".repeat(1_000_000)), "a")
  })

  it("PAGE-05 PAGE-06 the fold of a text is the concatenation of its parts' folds, so any part matches the whole", () => {
    fc.assert(
      fc.property(unicodeText, unicodeText, unicodeText, (before, part, after) => {
        assert.strictEqual(foldText(before + part + after), foldText(before) + foldText(part) + foldText(after))
        assert.ok(matchesFolded(foldText(before + part + after), foldText(part)))
      }),
      { numRuns: examples(2_000) }
    )
  })

  it("PAGE-06 T16 no character is a wildcard", () => {
    for (const wildcard of ["%", "_", "\\", "*", ".", "?"]) {
      assert.ok(!matchesFolded(foldText("José"), foldText(wildcard)))
      assert.ok(matchesFolded(foldText(`50${wildcard}!`), foldText(wildcard)))
    }
    assert.ok(matchesFolded(foldText("José da Silva"), foldText("E DA s")))
    assert.ok(!matchesFolded(foldText("José"), foldText("josefa")))
  })
})
