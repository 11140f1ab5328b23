import { isJsonObject, type JsonObject } from "./JsonObject.ts"

const annotationKeys = new Set(["maxLength", "maximum", "minLength", "minimum", "multipleOf", "pattern"])

/**
 * The generator's options: annotations of text and number schemas that document what their parsers accept. The generator caches by
 * the identity of this object.
 */
export const schemaKeys = { includeAnnotationKey: (key: string): boolean => annotationKeys.has(key) } as const

/** Removes the bounds of a safe integer, which the generator adds to every integer. */
const withoutSafeBounds = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).filter(([key, value]) =>
      !(key === "minimum" && value === Number.MIN_SAFE_INTEGER ||
        key === "maximum" && value === Number.MAX_SAFE_INTEGER)
    )
  )

/** Keywords that do not affect validation. */
const remarks: ReadonlySet<string> = new Set(["description", "examples", "readOnly"])

/**
 * Inlines an `anyOf` of one schema and the schemas of an `allOf`, unless two of them have a keyword in common. The remarks of later
 * schemas replace earlier ones.
 */
const flat = (schema: JsonObject): JsonObject => {
  const { allOf, anyOf, ...rest } = schema
  const isChoice = Array.isArray(anyOf) && anyOf.length > 1
  const parts: ReadonlyArray<unknown> = [isChoice ? [] : anyOf ?? [], allOf ?? []].flat()
  let merged: JsonObject = isChoice ? { ...rest, anyOf } : rest
  for (const part of parts) {
    if (!isJsonObject(part)) return schema
    const inlined = merged
    if (Object.keys(part).some((key) => key in inlined && !remarks.has(key))) return schema
    merged = { ...inlined, ...part }
  }
  return merged
}

/** Writes a number that is a multiple of one as an integer. */
const integer = (schema: JsonObject): JsonObject => {
  const { multipleOf, type, ...rest } = schema
  return type === "number" && multipleOf === 1 ? { type: "integer", ...rest } : schema
}

/** Simplifies one schema of the generated document without changing its meaning. */
export const tidySchema = (schema: JsonObject): JsonObject => integer(withoutSafeBounds(flat(schema)))
