import { Schema } from "effect"
import { type HttpApiEndpoint } from "effect/http-api"
import { isJsonObject, type JsonObject, rewrite } from "./JsonObject.ts"
import { parameter } from "./parameters.ts"
import { schemaKeys } from "./schemaKeys.ts"
import { tidySchema } from "./tidySchema.ts"

type Place = "path" | "query" | "header"

/** `if-match` as RFC 9110 writes it. */
const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

const parameterOf = (place: Place, name: string, required: boolean, schema: JsonObject): JsonObject => {
  const { description, examples, ...rest } = schema
  const [example]: ReadonlyArray<unknown> = Array.isArray(examples) ? examples : []
  return {
    name: place === "header" ? headerName(name) : name,
    in: place,
    description,
    ...(required ? { required } : {}),
    ...(rest["type"] === "array" ? { style: "form", explode: true } : {}),
    schema: rest,
    ...(example === undefined ? {} : { example })
  }
}

/**
 * The parameters of one place. They are described as what they are, an integer as an integer, and not as the text that
 * every parameter is on its way; that is why they are not those of the generated document.
 */
const parametersIn = (place: Place, fields: Schema.Top | undefined): ReadonlyArray<JsonObject> => {
  if (fields === undefined) return []
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(fields), schemaKeys)
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {}
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(properties).map(([name, property]) =>
    parameterOf(place, name, required.includes(name), rewrite(property, tidySchema) as JsonObject)
  )
}

/** Which operations read a record that the caller may have already. */
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

/** Every parameter of an operation. `translated` says whether its errors are in the language of the caller. */
export const parametersOf = (endpoint: HttpApiEndpoint.Top, translated: boolean): ReadonlyArray<JsonObject> => [
  ...parametersIn("path", endpoint.params),
  ...parametersIn("query", endpoint.query),
  ...parametersIn("header", endpoint.headers),
  ...(isConditional(endpoint) ? [parameter("IfNoneMatch")] : []),
  ...(translated ? [parameter("AcceptLanguage")] : []),
  parameter("RequestId")
]
