import { Data } from "effect"
import { type FieldProblem } from "./FieldProblem.ts"
import { printablePath } from "./problemsOf.ts"
import { inspectCustom, inspectError } from "./Refusal.ts"

/** Maximum number of problems in one error. */
export const maxListedProblems = 100

/**
 * An error lists at most 100 problems and counts the rest. Problems with known fields come before unknown fields.
 * @rule INPUT-01
 */
export const limitProblems = (
  problems: ReadonlyArray<FieldProblem>,
  unlisted: number = 0
): { readonly problems: ReadonlyArray<FieldProblem>; readonly unlisted: number } => {
  if (problems.length <= maxListedProblems) return { problems, unlisted }
  const known = problems.filter(({ code }) => code !== "UNKNOWN_FIELD")
  const unknown = problems.filter(({ code }) => code === "UNKNOWN_FIELD")
  return {
    problems: [...known, ...unknown].slice(0, maxListedProblems),
    unlisted: unlisted + problems.length - maxListedProblems
  }
}

/** Maximum number of problems in the text of `message`. */
const maxDescribedProblems = 5

const describeProblems = (problems: ReadonlyArray<FieldProblem>, unlisted: number): string => {
  const described = problems.slice(0, maxDescribedProblems)
    .map(({ code, field }) => field === "" ? code : `${printablePath(field)} ${code}`)
  const more = problems.length - described.length + unlisted
  return `The input is invalid: ${described.join(", ")}${more > 0 ? `, and ${more} more` : ""}.`
}

/**
 * The input breaks at least one rule. At most 100 problems are listed, in no particular order. `message` names the
 * first five fields with their codes.
 */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly problems: ReadonlyArray<FieldProblem>
  /** Number of further problems that are not listed. */
  readonly unlisted: number
}> {
  constructor(input: { readonly problems: ReadonlyArray<FieldProblem>; readonly unlisted?: number }) {
    const { problems, unlisted } = limitProblems(input.problems, input.unlisted)
    const fields = { problems, unlisted, message: describeProblems(problems, unlisted) }
    super(fields)
    Object.defineProperty(this, "message", { enumerable: false })
  }

  [inspectCustom](): string {
    return inspectError(this)
  }
}
