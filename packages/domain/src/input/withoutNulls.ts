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
  const copy: Record<PropertyKey, unknown> = { ...input }
  for (const { name, type } of ast.propertySignatures) {
    if (!Object.hasOwn(copy, name)) continue
    const value = copy[name]
    if (value === null && !acceptsNull(type)) delete copy[name]
    else copy[name] = withoutNulls(type, value)
  }
  return copy
}
