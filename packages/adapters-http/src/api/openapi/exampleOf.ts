import { isJsonObject, type JsonObject } from "./JsonObject.ts"

/** Returns the name of the component that a `$ref` refers to. */
export const componentName = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1)

/**
 * Returns whether examples omit an optional field. They omit lists, because responses contain such lists only on
 * request. They omit ids and read-only fields, because these do not belong in a request.
 */
const isLeftOut = (schema: JsonObject): boolean =>
  schema["type"] === "array" || schema["format"] === "uuid" || schema["readOnly"] === true

/**
 * Builds an example of a schema from the examples of its fields. `schemas` contains the schemas of references. Throws
 * if a required field has no example.
 */
export const exampleOf = (schema: unknown, schemas: JsonObject): unknown => {
  if (!isJsonObject(schema)) return undefined
  const { $ref, anyOf, enum: values, examples, items, properties, required } = schema
  if (Array.isArray(examples)) return examples[0]
  if (typeof $ref === "string") return exampleOf(schemas[componentName($ref)], schemas)
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], schemas)
  if (Array.isArray(values)) return values[0]
  if (isJsonObject(items)) return [exampleOf(items, schemas)]
  if (!isJsonObject(properties)) return undefined
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    if (!isRequired(name) && isJsonObject(property) && isLeftOut(property)) return []
    const value = exampleOf(property, schemas)
    if (value === undefined && isRequired(name)) throw new Error(`${name} has no example`)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(fields)
}
