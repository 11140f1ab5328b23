import { assert } from "@effect/vitest"
import { Result } from "effect"
import { type FieldErrorCode } from "../../src/input/FieldErrorCode.ts"
import { type FieldProblem } from "../../src/input/FieldProblem.ts"
import { type ValidationFailed } from "../../src/input/ValidationFailed.ts"

type Judged = Result.Result<unknown, ValidationFailed>

/** The problems as `field CODE`, sorted; empty on success. */
export const listProblems = (judged: Judged): ReadonlyArray<string> =>
  Result.match(judged, {
    onSuccess: () => [],
    onFailure: ({ problems }) => problems.map(({ code, field }) => `${field} ${code}`).toSorted()
  })

/** Asserts that exactly these problems are reported, as `field CODE`, in any order, and that each names its format or type. */
export const expectProblems = (judged: Judged, expected: ReadonlyArray<`${string} ${FieldErrorCode}`>): void => {
  assert.deepStrictEqual(listProblems(judged), expected.toSorted())
  const problems = Result.isFailure(judged) ? judged.failure.problems : []
  const unnamed = problems.filter(({ code, params }) =>
    (code === "INVALID_FORMAT" || code === "INVALID_TYPE") && params === undefined
  )
  assert.deepStrictEqual(unnamed, [], "INPUT-02 each problem names the expected format or type")
}

/** Asserts that no problem contains the rejected text. */
export const expectNotContained = (problems: ReadonlyArray<FieldProblem>, rejected: string): void =>
  assert.notInclude(JSON.stringify(problems.map(({ code, params }) => ({ code, params }))), rejected)
