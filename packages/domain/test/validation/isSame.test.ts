import { assert, describe, it } from "@effect/vitest"
import { Equal, type Schema } from "effect"
import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { isSame } from "../../src/validation/isSame.ts"

/** Few values, so that many of them are equal. */
const json = fc.letrec<{ json: Schema.Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Schema.Json>(null, true, false, 0, 1, "", "0", "a"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("0", "a", "__proto__"), tie("json"), { maxKeys: 3, noNullPrototype: true })
  )
})).json

describe("isSame", () => {
  it("equals deep equality of JSON values", () => {
    let same = 0
    fc.assert(
      fc.property(json, json, (one, other) => {
        const expected = isDeepStrictEqual(one, other)
        assert.strictEqual(isSame(one, other), expected)
        assert.strictEqual(Equal.equals(one, other), expected)
        assert.isTrue(isSame(one, structuredClone(one)))
        if (expected) same += 1
      }),
      { numRuns: 5_000 }
    )
    assert.isAbove(same, 100)
  })

  it("ignores key order and distinguishes an array from an object with its indices", () => {
    assert.isTrue(isSame({ a: 1, b: [{ c: null, d: "" }] }, { b: [{ d: "", c: null }], a: 1 }))
    assert.isFalse(isSame({ a: undefined }, { b: undefined }))
    for (const [one, other] of [[[], {}], [["a"], { 0: "a" }], [null, {}], [0, "0"], [{ a: 1 }, { a: 1, b: 1 }]]) {
      assert.isFalse(isSame(one, other))
      assert.isFalse(isSame(other, one))
    }
  })
})
