import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { decode } from "../../src/validation/decode.ts"
import { nullWhenAbsent } from "../../src/validation/nullWhenAbsent.ts"
import { text } from "../../src/validation/Text.ts"
import { complains } from "./problems.ts"

const read = decode(Schema.Struct({ a: nullWhenAbsent(text({ min: 1, max: 3 })) }))

describe("nullWhenAbsent", () => {
  it("reads null where the field is absent or null, and the value where it is one", () => {
    assert.deepStrictEqual(read({}), Result.succeed({ a: null }))
    assert.deepStrictEqual(read({ a: null }), Result.succeed({ a: null }))
    assert.deepStrictEqual(read({ a: " b " }), Result.succeed({ a: "b" }))
  })

  it("refuses what is neither", () => {
    complains(read({ a: "" }), ["a TOO_SHORT"])
    complains(read({ a: 1 }), ["a INVALID_TYPE"])
    complains(read({ a: {} }), ["a INVALID_TYPE"])
  })

  it("says of a group what is wrong with all of it at once, wrong types and wrong texts", () => {
    const group = Schema.Struct({ b: nullWhenAbsent(text({ min: 1, max: 3 })), c: nullWhenAbsent(Schema.String) })
    const outer = decode(Schema.Struct({ a: nullWhenAbsent(group) }))
    complains(outer({ a: { b: "", c: 1, d: 1 } }), ["a.b TOO_SHORT", "a.c INVALID_TYPE", "a.d UNKNOWN_FIELD"])
    assert.deepStrictEqual(outer({ a: {} }), Result.succeed({ a: { b: null, c: null } }))
  })
})
