import { componentName } from "./exampleOf.ts"
import { isJsonObject, type JsonObject } from "./JsonObject.ts"

/**
 * The operations, besides patches, in whose bodies null does not count as absent: null has a meaning in `submitKyc`,
 * and the token operations take forms.
 */
const readsNulls: ReadonlySet<string> = new Set(["submitKyc", "issueToken", "revokeToken"])

/**
 * Returns whether null counts as absent in the body of an operation. Takes its HTTP method and its OpenAPI operation.
 */
const dropsNulls = ([method, operation]: readonly [string, unknown]): boolean =>
  method !== "patch" && !readsNulls.has(String((operation as JsonObject)["operationId"]))

/** Returns the names of the components that a value refers to, directly or through other components. */
const referencesOf = (value: unknown, schemas: JsonObject, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof value !== "object" || value === null) return found
  const name = "$ref" in value && typeof value.$ref === "string" ? componentName(value.$ref) : ""
  if (name in schemas && !found.has(name)) referencesOf(schemas[name], schemas, found.add(name))
  for (const inner of Object.values(value)) referencesOf(inner, schemas, found)
  return found
}

const orNull = (schema: unknown): unknown => {
  if (!isJsonObject(schema) || JSON.stringify(schema).includes("{\"type\":\"null\"}")) return schema
  const { description, examples, ...rest } = schema
  const remarks = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples })
  }
  return { ...remarks, anyOf: [rest, { type: "null" }] }
}

type Items = Readonly<Record<string, JsonObject>>

/**
 * Allows null for the optional fields of bodies in which null counts as absent (INPUT-03). Leaves out components that
 * also occur elsewhere. Returns the schemas.
 */
export const acceptNulls = (
  { paths, webhooks }: { readonly paths: Items; readonly webhooks: Items },
  schemas: JsonObject
): JsonObject => {
  const all = Object.values(paths).flatMap((item) => Object.entries(item)).filter(([, operation]) =>
    isJsonObject(operation)
  )
  const bodies = all.filter(dropsNulls).map(([, operation]) => (operation as JsonObject)["requestBody"])
  const others = all.map((entry) => dropsNulls(entry) ? (entry[1] as JsonObject)["responses"] : entry[1])
  const elsewhere = referencesOf([others, webhooks], schemas)
  const changed = Array.from(referencesOf(bodies, schemas)).filter((name) => !elsewhere.has(name)).flatMap((name) => {
    const schema = schemas[name]
    if (!isJsonObject(schema) || !isJsonObject(schema["properties"])) return []
    const required = Array.isArray(schema["required"]) ? schema["required"] : []
    const properties = Object.entries(schema["properties"]).map(([field, value]) =>
      [field, required.includes(field) ? value : orNull(value)] as const
    )
    return [[name, { ...schema, properties: Object.fromEntries(properties) }] as const]
  })
  return { ...schemas, ...Object.fromEntries(changed) }
}
