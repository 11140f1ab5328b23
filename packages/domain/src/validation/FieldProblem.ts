import { Data } from "effect"
import { type FieldErrorCode } from "./FieldErrorCode.ts"

/** Values for the message of a problem: bounds, counts, allowed values. The rejected value is never included. */
export type ProblemParams = Readonly<Record<string, string | number>>

/** A problem with a field. `field` is a path: `address.uf`, `partners[1]`, `query.page`. */
export interface FieldProblem {
  readonly field: string
  readonly code: FieldErrorCode
  readonly params?: ProblemParams
}

/** A problem without its field. Parsers return these, and the caller of the parser adds the path. */
export interface Problem {
  readonly code: FieldErrorCode
  readonly params?: ProblemParams
}

/** Creates a {@link Problem}. */
export const problem = (code: FieldErrorCode, params?: ProblemParams): Problem =>
  params === undefined ? { code } : { code, params }

/** Adds a field to a problem. */
export const fieldProblem = (field: string, { code, params }: Problem): FieldProblem =>
  params === undefined ? { field, code } : { field, code, params }

/** Maximum number of problems in one error. */
export const maxListedProblems = 100

/**
 * An error lists at most 100 problems and counts the rest. Problems of known fields are listed before unknown fields.
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

/** The input breaks at least one rule. At most 100 problems are listed, in no particular order. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly problems: ReadonlyArray<FieldProblem>
  /** Number of further problems that are not listed. */
  readonly unlisted: number
}> {
  constructor(found: { readonly problems: ReadonlyArray<FieldProblem>; readonly unlisted?: number }) {
    super(limitProblems(found.problems, found.unlisted))
  }
}
