import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isJson } from "../../src/validation/isJson.ts"

const nested = (depth: number): unknown => {
  let value: unknown = null
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe("isJson", () => {
  it("is true for every parsed JSON text", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => assert.isTrue(isJson(value))))
    assert.isTrue(isJson({ absent: undefined }))
    assert.isTrue(isJson(nested(64)))
  })

  it("is false for values without a JSON text", () => {
    const cyclic: Array<unknown> = []
    cyclic.push(cyclic)
    for (const value of [1n, Number.NaN, Infinity, () => 1, Symbol("s"), new Date(0), new Map(), cyclic]) {
      assert.isFalse(isJson(value))
      assert.isFalse(isJson({ deep: [value] }))
    }
    assert.isFalse(isJson(nested(65)))
    assert.isFalse(isJson(nested(100_000)))
  })
})
