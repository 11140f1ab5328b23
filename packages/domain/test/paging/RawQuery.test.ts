import { assert, describe, it } from "@effect/vitest"
import { allValues, firstValue } from "../../src/paging/RawQuery.ts"

describe("RawQuery", () => {
  it("PAGE-01 the first value of a repeated single-value parameter counts", () => {
    assert.strictEqual(firstValue(["1", "2"]), "1")
    assert.strictEqual(firstValue(["", "2"]), "")
    assert.strictEqual(firstValue("3"), "3")
    assert.strictEqual(firstValue([]), undefined)
    assert.strictEqual(firstValue(undefined), undefined)
  })

  it("returns every value of a repeatable parameter in order", () => {
    assert.deepStrictEqual(allValues(["b", "", "a"]), ["b", "", "a"])
    assert.deepStrictEqual(allValues("a"), ["a"])
    assert.deepStrictEqual(allValues(undefined), [])
  })
})
