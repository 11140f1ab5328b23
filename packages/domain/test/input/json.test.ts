import { assert, describe, it } from "@effect/vitest"
import { Equal, type Schema } from "effect"
import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { examples } from "../../../../test/rounds.ts"
import { canonicalJson, isJson, isSame } from "../../src/input/json.ts"
import { valueAt } from "../../src/input/valueAt.ts"

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

const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).toReversed().map(([key, inner]) => [key, shuffled(inner)]))
    : value

const byMembers = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(byMembers).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1)
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${byMembers(inner)}`).join(",")}}`
}

/** Keys that an object reorders or does not store as its own. */
const unusualKey = fc.constantFrom("10", "9", "0", "-1", "1a", "__proto__", "constructor", "", "é", "A", "a")

describe("canonicalJson", () => {
  it("sorts all keys by their code units, also indexes and `__proto__`", () => {
    const objects = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue(),
        fc.array(tie("value")),
        fc.dictionary(unusualKey, tie("value"))
      )
    }))
    fc.assert(fc.property(objects.value, (value) => {
      assert.strictEqual(canonicalJson(value), byMembers(JSON.parse(JSON.stringify(value))))
    }))
  })

  it("is independent of key order and keeps the value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        assert.deepStrictEqual(JSON.parse(canonicalJson(plain)), plain)
        assert.strictEqual(canonicalJson(shuffled(plain)), canonicalJson(plain))
      }),
      { numRuns: examples(1000) }
    )
  })

  it("preserves array order and distinguishes absent, null and empty", () => {
    const texts = [{}, { a: null }, { a: "" }, { a: [] }, { a: {} }, { a: [1, 2] }, { a: [2, 1] }].map(canonicalJson)
    assert.strictEqual(new Set(texts).size, texts.length)
  })
})

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
