import { Result, Schema } from "effect"
import { type FieldProblem, ValidationFailed } from "./FieldProblem.ts"
import { problemsOf } from "./problemsOf.ts"

type Read<A, E> = (input: unknown, prefix?: ReadonlyArray<PropertyKey>) => Result.Result<A, E>

/**
 * Like {@link decode}, for a part of an input. Returns a list of problems, so that the caller can combine the problems of several parts.
 */
export const decodePart = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S
): Read<S["Type"], ReadonlyArray<FieldProblem>> => {
  const run = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input, prefix = []) => Result.mapError(run(input), (error) => problemsOf(error.issue, input, prefix))
}

/**
 * Decodes an untrusted value with a schema. Unknown fields are refused, and all problems are reported together. If the value is part of a
 * larger body, `prefix` is the path of the value in that body.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Read<S["Type"], ValidationFailed> => {
  const read = decodePart(schema)
  return (input, prefix) => Result.mapError(read(input, prefix), (problems) => new ValidationFailed({ problems }))
}
