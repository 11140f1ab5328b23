import { isJsonObject, type JsonObject } from "./JsonObject.ts"

const annotationKeys = new Set(["maxLength", "maximum", "minLength", "minimum", "multipleOf", "pattern"])

/**
 * Options of Effect's JSON Schema generator. They keep the keywords about the texts and numbers that a parser accepts.
 * The generator uses this object as a cache key, so always pass the same one.
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

const remarks: ReadonlySet<string> = new Set(["description", "examples", "readOnly"])

/**
 * Merges nested schemas into the schema that contains them: all schemas of an `allOf`, and the single schema of an
 * `anyOf`. Changes nothing if two of them have the same validation keyword. If several have a description or examples,
 * keeps the last ones.
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

/** Replaces `number` with `multipleOf: 1` by `integer`. */
const integer = (schema: JsonObject): JsonObject => {
  const { multipleOf, type, ...rest } = schema
  return type === "number" && multipleOf === 1 ? { type: "integer", ...rest } : schema
}

/** Simplifies a schema of the generated document, without a change of its meaning. */
export const tidySchema = (schema: JsonObject): JsonObject => integer(withoutSafeBounds(flat(schema)))
