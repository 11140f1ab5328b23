import { assert, describe, it } from "@effect/vitest"
import { codePoint } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { checkProperty } from "./checks.ts"

describe("codePoint", () => {
  it("is one well-formed character", () => {
    checkProperty(codePoint, (one) => {
      assert.lengthOf(Array.from(one), 1)
      assert.isTrue(one.isWellFormed())
    }, 1_000)
  })

  it("contains the first and last characters and those beside the surrogates, and no other value", () => {
    for (const one of ["\0", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"]) {
      assert.isTrue(codePoint.canShrinkWithoutContext(one), JSON.stringify(one))
    }
    for (const one of ["", "ab", "\ud800", "\udfff", "e\u0301", 7, null]) {
      assert.isFalse(codePoint.canShrinkWithoutContext(one), String(one))
    }
  })

  it("as a unit, gives the texts that break naive code", () => {
    const texts = fc.sample(fc.string({ unit: codePoint }), { numRuns: 20_000, seed: 7 })
    assert.isTrue(texts.some((text) => text.includes("__proto__")))
  })
})
