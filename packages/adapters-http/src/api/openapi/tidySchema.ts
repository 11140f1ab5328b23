import { isJsonObject, type JsonObject } from "./JsonObject.ts"

/** The generator states for every integer that it is one that JavaScript can hold. */
const withoutSafeBounds = (schema: JsonObject): JsonObject => {
  const { maximum, minimum, ...rest } = schema
  return minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? rest : schema
}

const onlyOf = (schemas: unknown): unknown => Array.isArray(schemas) && schemas.length === 1 ? schemas[0] : undefined

/**
 * An annotation that follows a check comes as an `allOf` of one, a choice of one value as an `anyOf` of one; either says the
 * same as its content.
 */
const flat = (schema: JsonObject): JsonObject => {
  const { allOf, anyOf, ...rest } = schema
  const only = onlyOf(allOf) ?? onlyOf(anyOf)
  return isJsonObject(only) && (allOf === undefined || anyOf === undefined) &&
      Object.keys(only).every((key) => !(key in rest))
    ? { ...rest, ...only }
    : schema
}

/** A number that is a multiple of one is better known as an integer. */
const integer = (schema: JsonObject): JsonObject => {
  const { multipleOf, type, ...rest } = schema
  return type === "number" && multipleOf === 1 ? { type: "integer", ...rest } : schema
}

const withoutEmptyExamples = (schema: JsonObject): JsonObject => {
  const { examples, ...rest } = schema
  return Array.isArray(examples) && examples.length === 0 ? rest : schema
}

/** One schema of the generated document as people would write it; means the same. */
export const tidySchema = (schema: JsonObject): JsonObject =>
  withoutEmptyExamples(integer(withoutSafeBounds(flat(schema))))
