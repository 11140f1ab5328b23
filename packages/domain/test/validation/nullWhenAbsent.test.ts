import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { decode } from "../../src/validation/decode.ts"
import { nullWhenAbsent } from "../../src/validation/nullWhenAbsent.ts"
import { text } from "../../src/validation/Text.ts"
import { complains } from "./problems.ts"

const read = decode(Schema.Struct({ a: nullWhenAbsent(text({ min: 1, max: 3 })) }))

describe("nullWhenAbsent", () => {
  it("null or absent becomes null; other values are parsed", () => {
    assert.deepStrictEqual(read({}), Result.succeed({ a: null }))
    assert.deepStrictEqual(read({ a: null }), Result.succeed({ a: null }))
    assert.deepStrictEqual(read({ a: " b " }), Result.succeed({ a: "b" }))
  })

  it("rejects anything else", () => {
    complains(read({ a: "" }), ["a TOO_SHORT"])
    complains(read({ a: 1 }), ["a INVALID_TYPE"])
    complains(read({ a: {} }), ["a INVALID_TYPE"])
  })

  it("reports all problems of a group at once, of type and of text", () => {
    const group = Schema.Struct({ b: nullWhenAbsent(text({ min: 1, max: 3 })), c: nullWhenAbsent(Schema.String) })
    const outer = decode(Schema.Struct({ a: nullWhenAbsent(group) }))
    complains(outer({ a: { b: "", c: 1, d: 1 } }), ["a.b TOO_SHORT", "a.c INVALID_TYPE", "a.d UNKNOWN_FIELD"])
    assert.deepStrictEqual(outer({ a: {} }), Result.succeed({ a: { b: null, c: null } }))
  })
})
