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

/** The input breaks at least one rule. All problems are listed, in no particular order. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly problems: ReadonlyArray<FieldProblem>
}> {}
