import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { canonicalJson } from "../../src/validation/canonicalJson.ts"

const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).toReversed().map(([key, inner]) => [key, shuffled(inner)]))
    : value

describe("canonicalJson", () => {
  it("is independent of key order and keeps the value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        assert.deepStrictEqual(JSON.parse(canonicalJson(plain)), plain)
        assert.strictEqual(canonicalJson(shuffled(plain)), canonicalJson(plain))
      }),
      { numRuns: 1000 }
    )
  })

  it("preserves array order and distinguishes absent, null and empty", () => {
    const texts = [{}, { a: null }, { a: "" }, { a: [] }, { a: {} }, { a: [1, 2] }, { a: [2, 1] }].map(canonicalJson)
    assert.strictEqual(new Set(texts).size, texts.length)
  })
})
