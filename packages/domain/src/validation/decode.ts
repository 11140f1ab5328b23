import { Result, Schema } from "effect"
import { ValidationFailed } from "./FieldProblem.ts"
import { problemsOf } from "./problemsOf.ts"

/**
 * Reads an untrusted value by a schema: unknown fields are refused and every problem is reported at once.
 * `prefix` is put before each field's path, for a value that is a part of a larger body.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S
): (input: unknown, prefix?: ReadonlyArray<PropertyKey>) => Result.Result<S["Type"], ValidationFailed> => {
  const run = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input, prefix = []) =>
    Result.mapError(run(input), (error) => new ValidationFailed({ problems: problemsOf(error.issue, input, prefix) }))
}
