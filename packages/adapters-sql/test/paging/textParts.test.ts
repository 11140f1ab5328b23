import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { textParts } from "../../src/paging/appliedFilters.ts"

const text = fc.string({
  unit: fc.constantFrom(..."ab019 .-%_\\éçß日😀".split("")),
  maxLength: 60
})

describe("textParts", () => {
  it("covers short words, long words and several words", () => {
    assert.deepStrictEqual(textParts("ab ção"), [])
    assert.deepStrictEqual(textParts("ana"), ["ana"])
    assert.deepStrictEqual(textParts("maria silva"), ["maria", "silva"])
    assert.deepStrictEqual(textParts("quaresmeira"), ["quare", "aresm", "esmei", "meira"])
  })

  it("returns at most ten parts of the text, of three to five ASCII letters or digits", () => {
    fc.assert(fc.property(text, (searched) => {
      const parts = textParts(searched)
      assert.isAtMost(parts.length, 10)
      for (const part of parts) {
        assert.match(part, /^[a-z0-9]{3,5}$/i)
        assert.include(searched, part)
      }
      assert.strictEqual(parts.length > 0, /[a-z0-9]{3}/i.test(searched))
    }))
  })
})
