import { Result } from "effect"
import { type FieldProblem, ValidationFailed } from "./FieldProblem.ts"

type Checks = Readonly<Record<string, Result.Result<unknown, ValidationFailed | FieldProblem>>>

type Read<C extends Checks> = { readonly [K in keyof C]: Result.Result.Success<C[K]> }

/**
 * Joins checks of one input: what each of them read or, so that all problems are reported at once, every problem that
 * any of them found. Where two checks complain about one field, the first speaks for it.
 */
export const together = <C extends Checks>(checks: C): Result.Result<Read<C>, ValidationFailed> => {
  const problems = new Map<string, FieldProblem>()
  const read: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(checks)) {
    if (Result.isSuccess(check)) {
      read[name] = check.success
      continue
    }
    for (const problem of "problems" in check.failure ? check.failure.problems : [check.failure]) {
      if (!problems.has(problem.field)) problems.set(problem.field, problem)
    }
  }
  return problems.size === 0
    ? Result.succeed(read as Read<C>)
    : Result.fail(new ValidationFailed({ problems: [...problems.values()] }))
}
