import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { combineChecks } from "../../src/input/combineChecks.ts"
import { fieldProblem, problem } from "../../src/input/FieldProblem.ts"
import { ValidationFailed } from "../../src/input/ValidationFailed.ts"
import { expectProblems } from "./problems.ts"

const failed = (...problems: ValidationFailed["problems"]) => Result.fail(new ValidationFailed({ problems }))

describe("together", () => {
  it("returns the result of every check", () => {
    assert.deepStrictEqual(
      combineChecks({ a: Result.succeed(1), b: Result.succeed(undefined), c: Result.succeed("x") }),
      Result.succeed({ a: 1, b: undefined, c: "x" })
    )
  })

  it("reports the problems of all checks at once", () => {
    expectProblems(
      combineChecks({
        a: failed(fieldProblem("x", problem("REQUIRED")), fieldProblem("y", problem("TOO_LONG", { max: 3 }))),
        b: Result.succeed(1),
        c: Result.fail(fieldProblem("z", problem("NOT_FOUND")))
      }),
      ["x REQUIRED", "y TOO_LONG", "z NOT_FOUND"]
    )
  })

  it("the first check's problem counts if two report the same field", () => {
    expectProblems(
      combineChecks({
        first: failed(fieldProblem("x", problem("INVALID_FORMAT", { expected: "UUID" }))),
        second: Result.fail(fieldProblem("x", problem("NOT_FOUND"))),
        third: failed(fieldProblem("x", problem("REQUIRED")), fieldProblem("y", problem("CYCLE")))
      }),
      ["x INVALID_FORMAT", "y CYCLE"]
    )
  })

  it("keeps a problem's params", () => {
    assert.deepStrictEqual(
      combineChecks({ a: Result.fail(fieldProblem("x", problem("TOO_LONG", { max: 3 }))) }),
      Result.fail(new ValidationFailed({ problems: [{ field: "x", code: "TOO_LONG", params: { max: 3 } }] }))
    )
  })
})
