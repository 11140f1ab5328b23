import { Data } from "effect"
import { type FieldErrorCode } from "./FieldErrorCode.ts"

/** Facts that a message about a problem may mention: bounds, counts, allowed values. Never the rejected value. */
export type ProblemParams = Readonly<Record<string, string | number>>

/** One problem with one field. `field` is a path as people write it: `address.uf`, `partners[1]`, `query.page`. */
export interface FieldProblem {
  readonly field: string
  readonly code: FieldErrorCode
  readonly params?: ProblemParams
}

/** A problem that does not know its field yet; parsers return these, whoever knows the path adds it. */
export interface Problem {
  readonly code: FieldErrorCode
  readonly params?: ProblemParams
}

/** Makes a {@link Problem}. */
export const problem = (code: FieldErrorCode, params?: ProblemParams): Problem =>
  params === undefined ? { code } : { code, params }

/** Puts a problem at a field. */
export const at = (field: string, { code, params }: Problem): FieldProblem =>
  params === undefined ? { field, code } : { field, code, params }

/** The input breaks at least one rule; every problem of the input is listed, in no promised order. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly problems: ReadonlyArray<FieldProblem>
}> {}
