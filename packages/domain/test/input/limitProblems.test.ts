import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { combineChecks } from "../../src/input/combineChecks.ts"
import { decode } from "../../src/input/decode.ts"
import { FieldErrorCode } from "../../src/input/FieldErrorCode.ts"
import { type FieldProblem } from "../../src/input/FieldProblem.ts"
import { makePatch } from "../../src/input/Patch.ts"
import { limitProblems, ValidationFailed } from "../../src/input/ValidationFailed.ts"

const fields = {
  name: Schema.String,
  group: Schema.NullOr(Schema.Struct({ a: Schema.String, b: Schema.Struct({ c: Schema.String }) }))
}
const decodeBody = decode(Schema.Struct(fields))
const patch = makePatch(fields, { immutable: [] })

const unknownFields = (count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index.toString(36)}`, 0]))

const failureOf = (result: Result.Result<unknown, ValidationFailed>): ValidationFailed => {
  assert.isTrue(Result.isFailure(result))
  return Result.getOrThrow(Result.flip(result))
}

const problems = fc.array(
  fc.record({ field: fc.string(), code: fc.constantFrom(...FieldErrorCode.literals) }),
  { maxLength: 300 }
)

describe("limitProblems", () => {
  it("INPUT-01 lists at most 100 problems, those of known fields first, and counts the rest", () => {
    const isUnknown = ({ code }: FieldProblem) => code === "UNKNOWN_FIELD"
    fc.assert(
      fc.property(problems, fc.nat(1000), (found, before) => {
        const limited = limitProblems(found, before)
        assert.strictEqual(limited.problems.length, Math.min(found.length, 100))
        assert.strictEqual(limited.problems.length + limited.unlisted, found.length + before)
        assert.isTrue(limited.problems.every((one) => found.includes(one)))
        const known = found.filter((one) => !isUnknown(one))
        assert.strictEqual(limited.problems.filter((one) => !isUnknown(one)).length, Math.min(known.length, 100))
      }),
      { numRuns: 1000 }
    )
  })

  it("INPUT-01 a decoded body lists problems of known fields and counts unknown fields at every level", () => {
    const counts = fc.nat(250)
    fc.assert(fc.property(counts, counts, counts, (top, inner, deep) => {
      const body = {
        ...unknownFields(top),
        name: 1,
        group: { a: 1, ...unknownFields(inner), b: { c: "c", ...unknownFields(deep) } }
      }
      for (const result of [decodeBody(body), patch.apply({ name: "", group: null }, body)]) {
        const { problems, unlisted } = failureOf(result)
        assert.strictEqual(problems.length + unlisted, top + inner + deep + 2)
        assert.isAtMost(problems.length, 100)
        const known = problems.filter(({ code }) => code === "INVALID_TYPE").map(({ field }) => field)
        assert.sameMembers(known, ["name", "group.a"])
      }
    }))
  })

  it("INPUT-01 combined checks add up the problems that are not listed", () => {
    const one = new ValidationFailed({ problems: [{ field: "a", code: "REQUIRED" }], unlisted: 3 })
    const other = new ValidationFailed({ problems: [{ field: "b", code: "REQUIRED" }], unlisted: 4 })
    const { problems, unlisted } = failureOf(combineChecks({ one: Result.fail(one), other: Result.fail(other) }))
    assert.deepStrictEqual([problems.length, unlisted], [2, 7])
  })

  it("T64 values of unknown fields beyond the maximum are not read", () => {
    const body = { name: "x", group: null, ...unknownFields(200) }
    let reads = 0
    const counted = new Proxy(body, {
      get: (target, key) => {
        if (typeof key === "string" && key.startsWith("k")) reads++
        return Reflect.get(target, key) as unknown
      }
    })
    assert.strictEqual(failureOf(decodeBody(counted)).unlisted, 100)
    assert.isAtMost(reads, 100)
  })
})
