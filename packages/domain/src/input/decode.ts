import { Predicate, Result, Schema, SchemaAST } from "effect"
import { problemsOf } from "./problemsOf.ts"
import { countUnknownFields, limitUnknownFields, shapeOf } from "./unknownFields.ts"
import { maxListedProblems, ValidationFailed } from "./ValidationFailed.ts"

type Read<A> = (input: unknown, prefix?: ReadonlyArray<PropertyKey>) => Result.Result<A, ValidationFailed>

/** Returns a function that decodes the result of `prepare`, whose argument has a limited number of unknown fields. */
const decodeAfter = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  prepare: (input: unknown) => unknown
): Read<S["Type"]> => {
  const run = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const shape = shapeOf(schema.ast)
  return (input, prefix = []) => {
    const unlisted = Math.max(0, countUnknownFields(shape, input) - maxListedProblems)
    const limited = prepare(unlisted === 0 ? input : limitUnknownFields(shape, input, maxListedProblems))
    return Result.mapError(
      run(limited),
      ({ issue }) => new ValidationFailed({ problems: problemsOf(issue, limited, prefix), unlisted })
    )
  }
}

/**
 * Decodes an untrusted value with a schema. Unknown fields are refused, and all problems are reported together. If the
 * value is a part of a body, `prefix` is its path in the body. Above the maximum number of listed problems, unknown
 * fields are only counted.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Read<S["Type"]> =>
  decodeAfter(schema, (input) => input)

const acceptsNull = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isNull(ast) || SchemaAST.isUnknown(ast) || SchemaAST.isUnion(ast) && ast.types.some(acceptsNull)

/** Returns a copy of an input without the nulls of known fields that do not accept null. `ast` is an encoded schema. */
const withoutNulls = (ast: SchemaAST.AST, input: unknown): unknown => {
  if (SchemaAST.isUnion(ast)) return ast.types.reduce((value, type) => withoutNulls(type, value), input)
  if (Array.isArray(input)) {
    const item = SchemaAST.isArrays(ast) ? ast.rest[0] : undefined
    return item === undefined ? input : input.map((value) => withoutNulls(item, value))
  }
  if (!SchemaAST.isObjects(ast) || !Predicate.isReadonlyObject(input)) return input
  const copy: Record<PropertyKey, unknown> = { ...input }
  for (const { name, type } of ast.propertySignatures) {
    if (!Object.hasOwn(copy, name)) continue
    const value = copy[name]
    if (value === null && !acceptsNull(type)) delete copy[name]
    else copy[name] = withoutNulls(type, value)
  }
  return copy
}

/**
 * Null counts as absent, unless the field accepts null. This does not apply to patches, KYC and token requests.
 * @rule INPUT-03
 */
export const decodeBody = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Read<S["Type"]> => {
  const encoded = SchemaAST.toEncoded(schema.ast)
  return decodeAfter(schema, (input) => withoutNulls(encoded, input))
}
