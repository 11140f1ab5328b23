import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { together } from "../../src/validation/combineChecks.ts"
import { at, problem, ValidationFailed } from "../../src/validation/FieldProblem.ts"
import { complains } from "./problems.ts"

const failed = (...problems: ValidationFailed["problems"]) => Result.fail(new ValidationFailed({ problems }))

describe("together", () => {
  it("returns the result of every check", () => {
    assert.deepStrictEqual(
      together({ a: Result.succeed(1), b: Result.succeed(undefined), c: Result.succeed("x") }),
      Result.succeed({ a: 1, b: undefined, c: "x" })
    )
  })

  it("reports the problems of all checks at once", () => {
    complains(
      together({
        a: failed(at("x", problem("REQUIRED")), at("y", problem("TOO_LONG", { max: 3 }))),
        b: Result.succeed(1),
        c: Result.fail(at("z", problem("NOT_FOUND")))
      }),
      ["x REQUIRED", "y TOO_LONG", "z NOT_FOUND"]
    )
  })

  it("the first check's problem counts if two report the same field", () => {
    complains(
      together({
        first: failed(at("x", problem("INVALID_FORMAT"))),
        second: Result.fail(at("x", problem("NOT_FOUND"))),
        third: failed(at("x", problem("REQUIRED")), at("y", problem("CYCLE")))
      }),
      ["x INVALID_FORMAT", "y CYCLE"]
    )
  })

  it("keeps a problem's params", () => {
    assert.deepStrictEqual(
      together({ a: Result.fail(at("x", problem("TOO_LONG", { max: 3 }))) }),
      Result.fail(new ValidationFailed({ problems: [{ field: "x", code: "TOO_LONG", params: { max: 3 } }] }))
    )
  })
})
