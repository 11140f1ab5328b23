import { Schema } from "effect"
import { type HttpApiEndpoint } from "effect/http-api"
import { isJsonObject, type JsonObject, rewrite } from "./JsonObject.ts"
import { schemaKeys, tidySchema } from "./tidySchema.ts"

/** Request headers shared by operations, as components. */
export const parameters = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    description:
      "Language of error messages: English, or Brazilian Portuguese if preferred (`pt-BR`). Default: English.",
    schema: { type: "string" }
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` you last read. The response is 304 without a body while the record is unchanged.",
    schema: { type: "string" }
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "Request id for logs. Default, and replacement for an invalid one: a generated id.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" }
  }
} as const satisfies Record<string, JsonObject>

const reference = (name: keyof typeof parameters): JsonObject => ({ $ref: `#/components/parameters/${name}` })

type Place = "path" | "query" | "header"

/** The header name as RFC 9110 writes it: `If-Match` for `if-match`. */
const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** Drops examples and defaults: documentation pages send them by themselves. */
const parameterOf = (place: Place, name: string, required: boolean, schema: JsonObject): JsonObject => {
  const { default: _, description, examples: __, ...rest } = schema
  return {
    name: place === "header" ? headerName(name) : name,
    in: place,
    description,
    ...(required ? { required } : {}),
    ...(rest["type"] === "array" ? { style: "form", explode: true } : {}),
    schema: rest
  }
}

/** The parameters of one place, by their decoded types. The generated document would make every one a string. */
const parametersIn = (place: Place, fields: Schema.Top | undefined): ReadonlyArray<JsonObject> => {
  if (fields === undefined) return []
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(fields), schemaKeys)
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {}
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(properties).map(([name, property]) =>
    parameterOf(place, name, required.includes(name), rewrite(property, tidySchema) as JsonObject)
  )
}

const conditional = new Set([
  "getPartner",
  "getUser",
  "getOwnUser",
  "getApplication",
  "getApplicationStatus",
  "getKyc",
  "getProposal"
])

/** Whether an operation honours `If-None-Match`. */
export const isConditional = ({ identifier }: HttpApiEndpoint.Top): boolean => conditional.has(identifier)

/** Whether an operation honours `Idempotency-Key`. */
export const isIdempotent = ({ headers }: HttpApiEndpoint.Top): boolean =>
  parametersIn("header", headers).some(({ name }) => name === "Idempotency-Key")

/** All parameters of an operation. `hasLanguage` is true if its error messages depend on `Accept-Language`. */
export const parametersOf = (endpoint: HttpApiEndpoint.Top, hasLanguage: boolean): ReadonlyArray<JsonObject> => [
  ...parametersIn("path", endpoint.params),
  ...parametersIn("query", endpoint.query),
  ...parametersIn("header", endpoint.headers),
  ...(isConditional(endpoint) ? [reference("IfNoneMatch")] : []),
  ...(hasLanguage ? [reference("AcceptLanguage")] : []),
  reference("RequestId")
]
