import { isJsonObject, type JsonObject } from "./JsonObject.ts"

/** The generator states for every integer that it is one that JavaScript can hold. */
const withoutSafeBounds = (schema: JsonObject): JsonObject => {
  const { maximum, minimum, ...rest } = schema
  return minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? rest : schema
}

/** An annotation that follows a check comes as an `allOf` of one, which says the same as its content. */
const flat = (schema: JsonObject): JsonObject => {
  const { allOf, ...rest } = schema
  const only: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined
  return isJsonObject(only) && Object.keys(only).every((key) => !(key in rest)) ? { ...rest, ...only } : schema
}

const withoutEmptyExamples = (schema: JsonObject): JsonObject => {
  const { examples, ...rest } = schema
  return Array.isArray(examples) && examples.length === 0 ? rest : schema
}

/** One schema of the generated document as people would write it; means the same. */
export const tidySchema = (schema: JsonObject): JsonObject => withoutEmptyExamples(withoutSafeBounds(flat(schema)))
