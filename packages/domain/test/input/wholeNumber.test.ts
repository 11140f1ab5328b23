import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import { wholeNumber } from "../../src/input/wholeNumber.ts"
import { listProblems } from "./problems.ts"

const schema = wholeNumber({ min: 1, max: 10 })
const read = decode(Schema.Struct({ count: schema }))
const codes = (count: unknown) => listProblems(read({ count }))

describe("wholeNumber", () => {
  it("accepts whole numbers within its inclusive bounds and reports the bounds", () => {
    for (const count of [1, 2, 10]) assert.deepStrictEqual(read({ count }), Result.succeed({ count }))
    for (const count of [0, -0, -1, 11, 2 ** 53, 1e300, -1e300]) {
      assert.deepStrictEqual(codes(count), ["count OUT_OF_RANGE"])
    }
    const refused = read({ count: 11 })
    assert.deepStrictEqual(Result.isFailure(refused) ? refused.failure.problems[0]?.params : undefined, {
      min: 1,
      max: 10
    })
    assert.deepStrictEqual(Schema.encodeResult(schema)(3), Result.succeed(3))
  })

  it("rejects fractions and values that are not numbers", () => {
    for (const count of [1.5, 0.1, 9.999, "3", true, [], {}]) {
      assert.deepStrictEqual(codes(count), ["count INVALID_TYPE"])
    }
    assert.deepStrictEqual(codes(null), ["count NOT_NULLABLE"])
    assert.deepStrictEqual(listProblems(read({})), ["count REQUIRED"])
  })

  it("accepts or rejects any number by the same rule", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double(), fc.integer({ min: -2, max: 13 })),
        (count) => assert.strictEqual(codes(count).length === 0, Number.isInteger(count) && count >= 1 && count <= 10)
      )
    )
  })
})
