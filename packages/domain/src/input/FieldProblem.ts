import { Data } from "effect"
import { type FieldErrorCode } from "./FieldErrorCode.ts"
import { inspectCustom, inspectError } from "./Refusal.ts"

/** Values for the message of a problem: bounds, counts, allowed values. Never the rejected value. */
export type ProblemParams = Readonly<Record<string, string | number>>

/** A problem without its field. Parsers return it, and their callers add the path. */
export interface Problem {
  readonly code: FieldErrorCode
  readonly params?: ProblemParams
}

/** A problem with a field. `field` is a path: `address.uf`, `partners[1]`, `query.page`. */
export interface FieldProblem extends Problem {
  readonly field: string
}

/** Creates a {@link Problem}. INVALID_FORMAT requires parameters: the format of a text, or the decimals of a number. */
export const problem = <Code extends FieldErrorCode>(
  code: Code,
  ...[params]: Code extends "INVALID_FORMAT" ? [params: ProblemParams] : [params?: ProblemParams]
): Problem => params === undefined ? { code } : { code, params }

export const fieldProblem = (field: string, { code, params }: Problem): FieldProblem =>
  params === undefined ? { field, code } : { field, code, params }

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

/**
 * Formats a path for a message. Any step that is not an identifier is replaced, because the name of an unknown field
 * can contain personal data.
 */
const printablePath = (field: string): string =>
  field.split(".").map((step) => /^[A-Za-z_]\w{0,63}(\[\d+\])?$/.test(step) ? step : "…").join(".")

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
