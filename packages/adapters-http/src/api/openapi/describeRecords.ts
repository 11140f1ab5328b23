import { fieldDescription } from "./fieldDescriptions.ts"
import { isJsonObject, type JsonObject, rewrite } from "./JsonObject.ts"
import { maskedFields } from "./originationFields.ts"
import { recordDescriptions } from "./recordDescriptions.ts"

/** A field that is a record of its own is described there, unless there is more to say about it here. */
const describe = (path: ReadonlyArray<string>, schema: JsonObject): JsonObject => {
  const description = "$ref" in schema ? undefined : fieldDescription(path, schema["description"])
  const shown = maskedFields.has(path.join(".")) ? rewrite(schema, withoutPattern) as JsonObject : schema
  return describeFields(path, description === undefined ? shown : { ...shown, description })
}

const withoutPattern = ({ pattern: _, ...schema }: JsonObject): JsonObject => schema

const describeFields = (path: ReadonlyArray<string>, schema: JsonObject): JsonObject => {
  const { anyOf, items, properties } = schema
  if (isJsonObject(items)) return { ...schema, items: describeFields(path, items) }
  if (Array.isArray(anyOf)) {
    return { ...schema, anyOf: anyOf.map((one: unknown) => isJsonObject(one) ? describeFields(path, one) : one) }
  }
  if (!isJsonObject(properties)) return schema
  const described = Object.entries(properties).map(([name, field]) =>
    [name, isJsonObject(field) ? describe([...path, name], field) : field] as const
  )
  return { ...schema, properties: Object.fromEntries(described) }
}

/** Unlike those of every other body, unknown parameters of an OAuth 2 request are ignored (RFC 6749 §3.2). */
export const open = (schema: JsonObject): JsonObject =>
  schema["type"] === "object" ? { ...schema, additionalProperties: { type: "string" } } : schema

/** Says of each record and each of its fields what it is, where its schema does not. */
export const describeRecords = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const record = isJsonObject(schema) ? name === "TokenRequest" ? open(schema) : schema : {}
      const description = record["description"] ?? recordDescriptions[name]
      return [name, { ...describeFields([name], record), ...(description === undefined ? {} : { description }) }]
    })
  )
