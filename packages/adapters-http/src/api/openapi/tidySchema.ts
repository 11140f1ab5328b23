import { isJsonObject, type JsonObject } from "./JsonObject.ts"

/** The generator states for every integer that it is one that JavaScript can hold. */
const withoutSafeBounds = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).filter(([key, value]) =>
      !(key === "minimum" && value === Number.MIN_SAFE_INTEGER ||
        key === "maximum" && value === Number.MAX_SAFE_INTEGER)
    )
  )

const onlyOf = (schemas: unknown): unknown => Array.isArray(schemas) && schemas.length === 1 ? schemas[0] : undefined

/** What says nothing of which values fit, so that one may stand for another. */
const remarks: ReadonlySet<string> = new Set(["description", "examples"])

/**
 * A check, or an annotation that follows one, comes as an `allOf` of one, a choice of one value as an `anyOf` of one; either
 * says the same as its content, whose remarks are the nearer ones.
 */
const flat = (schema: JsonObject): JsonObject => {
  const { allOf, anyOf, ...rest } = schema
  const only = onlyOf(allOf) ?? onlyOf(anyOf)
  return isJsonObject(only) && (allOf === undefined || anyOf === undefined) &&
      Object.keys(only).every((key) => remarks.has(key) || !(key in rest))
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
