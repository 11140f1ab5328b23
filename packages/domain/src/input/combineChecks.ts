import { Result } from "effect"
import { type FieldProblem } from "./FieldProblem.ts"
import { ValidationFailed } from "./ValidationFailed.ts"

type Checks = Readonly<Record<string, Result.Result<unknown, ValidationFailed | FieldProblem>>>

type Read<C extends Checks> = { readonly [K in keyof C]: Result.Result.Success<C[K]> }

/**
 * Combines the checks of one input: returns all their results, or the problems of all failed checks. If two checks
 * report the same field, the first problem counts.
 */
export const combineChecks = <C extends Checks>(checks: C): Result.Result<Read<C>, ValidationFailed> => {
  const problems = new Map<string, FieldProblem>()
  const read: Record<string, unknown> = {}
  let unlisted = 0
  for (const [name, check] of Object.entries(checks)) {
    if (Result.isSuccess(check)) {
      read[name] = check.success
      continue
    }
    const failed = "problems" in check.failure ? check.failure : { problems: [check.failure], unlisted: 0 }
    unlisted += failed.unlisted
    for (const problem of failed.problems) {
      if (!problems.has(problem.field)) problems.set(problem.field, problem)
    }
  }
  return problems.size === 0
    ? Result.succeed(read as Read<C>)
    : Result.fail(new ValidationFailed({ problems: [...problems.values()], unlisted }))
}
