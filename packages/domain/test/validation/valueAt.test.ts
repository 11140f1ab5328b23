import { assert, describe, it } from "@effect/vitest"
import { valueAt } from "../../src/validation/valueAt.ts"

describe("valueAt", () => {
  it("reads a value at a path", () => {
    assert.strictEqual(valueAt({ a: { b: 1 } }, ["a", "b"]), 1)
    assert.strictEqual(valueAt({ a: null }, ["a"]), null)
    assert.deepStrictEqual(valueAt({ a: [1] }, ["a"]), [1])
    assert.strictEqual(valueAt(5, []), 5)
  })

  it("returns undefined for a missing path", () => {
    for (const body of [null, undefined, 1, "abc", true, [], {}, { a: null }, { a: "b" }, { a: [] }]) {
      assert.strictEqual(valueAt(body, ["a", "b"]), undefined)
    }
    assert.strictEqual(valueAt(["x"], ["0"]), undefined)
    assert.strictEqual(valueAt("abc", ["length"]), undefined)
  })

  it("T27 reads own properties only", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      assert.strictEqual(valueAt({}, [key]), undefined)
      assert.strictEqual(valueAt({ a: {} }, ["a", key]), undefined)
    }
    assert.deepStrictEqual(valueAt(JSON.parse("{\"__proto__\":{\"a\":1}}"), ["__proto__"]), { a: 1 })
    assert.strictEqual(valueAt(JSON.parse("{\"__proto__\":{\"a\":1}}"), ["a"]), undefined)
  })
})
