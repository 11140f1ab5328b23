import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { parseJson } from "../../src/pipeline/readBody.ts"

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

const outcome = (text: string): string =>
  Result.match(parseJson(text), { onFailure: ({ _tag }) => _tag, onSuccess: () => "parsed" })

describe("parseJson", () => {
  it("T29 parses 64 levels and refuses one more, in any notation", () => {
    assert.strictEqual(outcome(nested(64)), "parsed")
    assert.strictEqual(outcome(nested(65)), "PayloadTooLarge")
    assert.strictEqual(outcome(nested(100_000)), "PayloadTooLarge")
    assert.strictEqual(outcome("{\"a\":".repeat(65)), "PayloadTooLarge")
    assert.strictEqual(outcome("[".repeat(64)), "MalformedBody")
  })

  it("ignores brackets inside strings", () => {
    const brackets = "[{\\\"".repeat(1000)
    assert.strictEqual(outcome(JSON.stringify({ name: brackets })), "parsed")
    assert.strictEqual(outcome(`{"a":"\\\\","b":${nested(64)}}`), "PayloadTooLarge")
  })

  it("agrees with JSON.parse up to the maximum depth", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 70 }), (value) => {
        const text = JSON.stringify(value)
        assert.strictEqual(outcome(text), depthOf(JSON.parse(text)) > 64 ? "PayloadTooLarge" : "parsed")
        const parsed = parseJson(text)
        if (Result.isSuccess(parsed)) assert.deepStrictEqual(parsed.success, JSON.parse(text))
      }),
      { numRuns: 1000 }
    )
  })

  it("never throws for arbitrary text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."[]{}\"\\:,a1 ") }), (text) => {
        assert.include(["parsed", "MalformedBody", "PayloadTooLarge"], outcome(text))
      }),
      { numRuns: 2000 }
    )
  })

  it("T27 parses __proto__ as an ordinary key", () => {
    const parsed = parseJson("{\"__proto__\":{\"polluted\":true}}")
    assert.isTrue(Result.isSuccess(parsed) && Object.hasOwn(Object(parsed.success), "__proto__"))
    assert.isUndefined(Reflect.get({}, "polluted"))
  })

  it("T28 uses the last value of a duplicate key", () => {
    assert.deepStrictEqual(parseJson("{\"a\":1,\"a\":2}"), Result.succeed({ a: 2 }))
  })
})
