import { Predicate, SchemaAST } from "effect"

/** The known fields of an object, by name. A field has no shape if it is not an object with known fields. */
export interface Shape {
  readonly fields: ReadonlyMap<string, Shape | undefined>
}

/** Returns the shape of a schema. Undefined if it is not the schema of an object with known fields. */
export const shapeOf = (ast: SchemaAST.AST): Shape | undefined => {
  const encoded = SchemaAST.toEncoded(ast)
  if (SchemaAST.isUnion(encoded)) return encoded.types.map(shapeOf).find((shape) => shape !== undefined)
  if (!SchemaAST.isObjects(encoded) || encoded.indexSignatures.length > 0) return undefined
  return { fields: new Map(encoded.propertySignatures.map(({ name, type }) => [String(name), shapeOf(type)])) }
}

/** Counts the unknown fields of an input, without reading their values. */
export const countUnknownFields = (shape: Shape | undefined, input: unknown): number => {
  if (shape === undefined || !Predicate.isReadonlyObject(input)) return 0
  let count = 0
  for (const key of Object.keys(input)) {
    count += shape.fields.has(key) ? countUnknownFields(shape.fields.get(key), input[key]) : 1
  }
  return count
}

/** Returns a copy of an input with at most `max` of its unknown fields. */
export const limitUnknownFields = (shape: Shape | undefined, input: unknown, max: number): unknown => {
  let left = max
  const limit = (known: Shape | undefined, value: unknown): unknown =>
    known === undefined || !Predicate.isReadonlyObject(value)
      ? value
      : Object.fromEntries(
        Object.keys(value).flatMap((key) => {
          if (known.fields.has(key)) return [[key, limit(known.fields.get(key), value[key])] as const]
          return left-- > 0 ? [[key, value[key]] as const] : []
        })
      )
  return limit(shape, input)
}
