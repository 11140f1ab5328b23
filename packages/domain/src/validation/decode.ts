import { Result, Schema } from "effect"
import { type FieldProblem, ValidationFailed } from "./FieldProblem.ts"
import { problemsOf } from "./problemsOf.ts"

type Read<A, E> = (input: unknown, prefix?: ReadonlyArray<PropertyKey>) => Result.Result<A, E>

/** As {@link decode}, for a part of an input: whoever reads the whole gathers the problems of its parts. */
export const decodePart = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S
): Read<S["Type"], ReadonlyArray<FieldProblem>> => {
  const run = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input, prefix = []) => Result.mapError(run(input), (error) => problemsOf(error.issue, input, prefix))
}

/**
 * Reads an untrusted value by a schema: unknown fields are refused and every problem is reported at once.
 * `prefix` is put before each field's path, for a value that is a part of a larger body.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Read<S["Type"], ValidationFailed> => {
  const read = decodePart(schema)
  return (input, prefix) => Result.mapError(read(input, prefix), (problems) => new ValidationFailed({ problems }))
}
