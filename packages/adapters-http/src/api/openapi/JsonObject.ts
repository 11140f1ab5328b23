/** A JSON object of any shape. */
export interface JsonObject {
  readonly [key: string]: unknown
}

/** Returns whether a value is an object, not an array or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies a function to every object of a JSON document, starting with the innermost objects. */
export const rewrite = (value: unknown, change: (object: JsonObject) => JsonObject): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown) => rewrite(item, change))
    : isJsonObject(value)
    ? change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, change)])))
    : value
