import { Predicate, SchemaAST } from "effect"

const acceptsNull = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isNull(ast) || SchemaAST.isUnknown(ast) || SchemaAST.isUnion(ast) && ast.types.some(acceptsNull)

/** Returns a copy of an input without the nulls of known fields that do not accept null. `ast` is an encoded schema. */
export const withoutNulls = (ast: SchemaAST.AST, input: unknown): unknown => {
  if (SchemaAST.isUnion(ast)) return ast.types.reduce((value, type) => withoutNulls(type, value), input)
  if (Array.isArray(input)) {
    const item = SchemaAST.isArrays(ast) ? ast.rest[0] : undefined
    return item === undefined ? input : input.map((value) => withoutNulls(item, value))
  }
  if (!SchemaAST.isObjects(ast) || !Predicate.isReadonlyObject(input)) return input
  const types = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => {
      const type = types.get(key)
      if (type === undefined) return [[key, value] as const]
      return value === null && !acceptsNull(type) ? [] : [[key, withoutNulls(type, value)] as const]
    })
  )
}
