import { type FieldErrorCode } from "./FieldErrorCode.ts"

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
