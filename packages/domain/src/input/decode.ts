import { Result, Schema, SchemaAST } from "effect"
import { maxListedProblems, ValidationFailed } from "./FieldProblem.ts"
import { problemsOf } from "./problemsOf.ts"
import { countUnknownFields, limitUnknownFields, shapeOf } from "./unknownFields.ts"
import { withoutNulls } from "./withoutNulls.ts"

type Read<A> = (input: unknown, prefix?: ReadonlyArray<PropertyKey>) => Result.Result<A, ValidationFailed>

/**
 * Decodes an untrusted value with a schema. Unknown fields are refused, and all problems are reported together. If the
 * value is a part of a body, `prefix` is its path in the body. Above the maximum number of listed problems, unknown
 * fields are only counted.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Read<S["Type"]> => {
  const run = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const shape = shapeOf(schema.ast)
  return (input, prefix = []) => {
    const unlisted = Math.max(0, countUnknownFields(shape, input) - maxListedProblems)
    const limited = unlisted === 0 ? input : limitUnknownFields(shape, input, maxListedProblems)
    return Result.mapError(
      run(limited),
      ({ issue }) => new ValidationFailed({ problems: problemsOf(issue, limited, prefix), unlisted })
    )
  }
}

/**
 * In a request body other than a patch, null counts as an absent field. A field for which null has a meaning of its own
 * keeps it, and so does every field of a KYC submission (KYC-06).
 * @rule INPUT-03
 */
export const decodeBody = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Read<S["Type"]> => {
  const read = decode(schema)
  const encoded = SchemaAST.toEncoded(schema.ast)
  return (input, prefix) => read(withoutNulls(encoded, input), prefix)
}
