import { Schema } from "effect"

/**
 * What can be wrong with one field. Stable: programs branch on it, people read the message beside it.
 */
export const FieldErrorCode = Schema.Literals([
  "REQUIRED",
  "NOT_NULLABLE",
  "INVALID_TYPE",
  "INVALID_FORMAT",
  "INVALID_CHECK_DIGIT",
  "TOO_SHORT",
  "TOO_LONG",
  "OUT_OF_RANGE",
  "UNKNOWN_VALUE",
  "UNKNOWN_FIELD",
  "IMMUTABLE",
  "CYCLE",
  "OUTSIDE_HIERARCHY",
  "NOT_FOUND",
  "MISMATCH",
  "EXPIRED",
  "SUPERSEDED",
  "DECLINED",
  "HAS_CHILDREN",
  "HAS_USERS",
  "HAS_APPLICATIONS"
]).annotate({
  identifier: "FieldErrorCode",
  description: "Problem of a field. Stable; branch on it."
})
export type FieldErrorCode = typeof FieldErrorCode.Type

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
export class ValidationFailed extends Schema.TaggedError<ValidationFailed>()("ValidationFailed", {
  problems: Schema.Array(Schema.Struct({
    field: Schema.String,
    code: FieldErrorCode,
    params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])))
  }))
}) {}
