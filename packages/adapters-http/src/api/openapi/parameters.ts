import { operations } from "@lastro/domain/operation"
import { Schema } from "effect"
import { type HttpApiEndpoint } from "effect/http-api"
import { isJsonObject, type JsonObject, rewrite } from "./JsonObject.ts"
import { schemaKeys, tidySchema } from "./tidySchema.ts"

/** The components of the OpenAPI document that describe shared request headers. */
export const parameters = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    description: "Preferred language of messages of errors and rejections: `en` or `pt-BR`. Default: `en`.",
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
    description:
      "Request id. The response repeats it. Logs contain the id itself only if it is a UUID, a ULID or a trace id of 32 hexadecimal digits, otherwise a hash of it. If the id is missing or invalid, the server generates one.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" }
  }
} as const satisfies Record<string, JsonObject>

const reference = (name: keyof typeof parameters): JsonObject => ({ $ref: `#/components/parameters/${name}` })

type Place = "path" | "query" | "header"

/** Writes a header name as RFC 9110 does: `If-Match` for `if-match`. */
const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** Returns a parameter without examples and defaults, because documentation pages would fill them in and send them. */
const parameterOf = (place: Place, name: string, required: boolean, schema: JsonObject): JsonObject => {
  const { default: _, description, examples: __, ...rest } = schema
  return {
    name: place === "header" ? headerName(name) : name,
    in: place,
    description,
    ...(required ? { required } : {}),
    ...(rest["type"] === "array" ? { style: "form", explode: true } : {}),
    ...(rest["type"] === "object" ? { style: "deepObject", explode: true } : {}),
    schema: rest
  }
}

/** Rewrites a reference to point to the schemas of the document. */
const toComponent = (schema: JsonObject): JsonObject => {
  const { $ref } = schema
  return typeof $ref === "string" ? { ...schema, $ref: $ref.replace("#/$defs/", "#/components/schemas/") } : schema
}

/**
 * Lists the parameters of one place (path, query or header) with their decoded types. The parameters of the generator
 * are unsuitable, because it describes each of them as a string.
 */
const parametersIn = (place: Place, fields: Schema.Top | undefined): ReadonlyArray<JsonObject> => {
  if (fields === undefined) return []
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(fields), schemaKeys)
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {}
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(properties).map(([name, property]) =>
    parameterOf(place, name, required.includes(name), rewrite(rewrite(property, tidySchema), toComponent) as JsonObject)
  )
}

const table: ReadonlyMap<string, { readonly isRecord: boolean; readonly creates: string | undefined }> = new Map(
  Object.entries(operations)
)

/** Returns whether an operation responds with a record, which has an `ETag`. The table of operations decides. */
export const returnsRecord = ({ identifier }: HttpApiEndpoint.Top): boolean => {
  const operation = table.get(identifier)
  return operation !== undefined && (operation.isRecord || operation.creates !== undefined)
}

/** Returns whether an operation supports `If-None-Match`. */
export const isConditional = (endpoint: HttpApiEndpoint.Top): boolean =>
  endpoint.method === "GET" && returnsRecord(endpoint)

/** Returns whether an operation supports `Idempotency-Key`. */
export const isIdempotent = ({ headers }: HttpApiEndpoint.Top): boolean =>
  parametersIn("header", headers).some(({ name }) => name === "Idempotency-Key")

/** Lists all parameters of an operation. `hasLanguage` is true if its error messages depend on `Accept-Language`. */
export const parametersOf = (endpoint: HttpApiEndpoint.Top, hasLanguage: boolean): ReadonlyArray<JsonObject> => [
  ...parametersIn("path", endpoint.params),
  ...parametersIn("query", endpoint.query),
  ...parametersIn("header", endpoint.headers),
  ...(isConditional(endpoint) ? [reference("IfNoneMatch")] : []),
  ...(hasLanguage ? [reference("AcceptLanguage")] : []),
  reference("RequestId")
]
