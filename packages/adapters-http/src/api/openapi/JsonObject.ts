/** A JSON object of any shape. */
export interface JsonObject {
  readonly [key: string]: unknown
}

/** Returns whether a value is an object, and not an array or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies a function to every object of a JSON document, inner objects first. */
export const rewrite = (value: unknown, change: (object: JsonObject) => JsonObject): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => rewrite(item, change))
  return isJsonObject(value)
    ? change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, change)])))
    : value
}

const copyOf = /^(.+)_[0-9]+$/
const prefix = "#/components/schemas/"

const original = (name: string): string => copyOf.exec(name)?.[1] ?? name

const redirect = (object: JsonObject): JsonObject =>
  typeof object["$ref"] === "string" && object["$ref"].startsWith(prefix)
    ? { ...object, $ref: `${prefix}${original(object["$ref"].slice(prefix.length))}` }
    : object

/**
 * Returns whether a component is a numbered copy of another one. The generator writes copies of a record that is used
 * in requests and responses, or in responses with different statuses.
 */
const isCopy = (name: string, schemas: JsonObject): boolean => original(name) !== name && original(name) in schemas

/**
 * Merges the numbered copies of each record into one component. Throws if copies differ: the API definition would then
 * use one name for two records.
 */
export const mergeCopies = (document: JsonObject): JsonObject => {
  const merged = rewrite(document, redirect) as JsonObject
  const components = merged["components"] as JsonObject
  const schemas = components["schemas"] as JsonObject
  for (const [name, schema] of Object.entries(schemas)) {
    if (isCopy(name, schemas) && JSON.stringify(schema) !== JSON.stringify(schemas[original(name)])) {
      throw new Error(`${name} differs from ${original(name)}`)
    }
  }
  const kept = Object.entries(schemas).filter(([name, schema]) => isJsonObject(schema) && !isCopy(name, schemas))
  return { ...merged, components: { ...components, schemas: Object.fromEntries(kept) } }
}
