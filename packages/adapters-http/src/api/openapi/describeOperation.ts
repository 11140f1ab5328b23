import { operations } from "@lastro/domain/operation"
import { type HttpApiEndpoint } from "effect/http-api"
import { mergePatchType } from "../../pipeline/readBody.ts"
import { errorResponsesOf } from "../errorResponses.ts"
import { describeErrorResponse } from "./errorResponse.ts"
import { componentName, exampleOf } from "./exampleOf.ts"
import { isJsonObject, type JsonObject } from "./JsonObject.ts"
import { isConditional, parametersOf } from "./parameters.ts"
import { notModified, successResponse } from "./successResponse.ts"

const objectAt = (object: JsonObject, ...path: ReadonlyArray<string>): JsonObject =>
  path.reduce<JsonObject>((value, key) => {
    const inner = value[key]
    return isJsonObject(inner) ? inner : {}
  }, object)

const withOptionalBody: ReadonlySet<string> = new Set(
  Object.entries(operations).flatMap(([name, { takes }]) => takes === "optional command" ? [name] : [])
)

/** The media type of a body with arbitrary bytes. Such a body has no fields, so no example can be derived. */
const binaryType = "application/octet-stream"

/**
 * Examples of operations whose fields depend on each other. No example may contain valid credentials, so the values
 * name the text to fill in.
 */
const namedExamples: Readonly<Record<string, JsonObject>> = {
  issueToken: {
    client: {
      summary: "API client",
      value: {
        grant_type: "client_credentials",
        client_id: "YOUR_CLIENT_ID",
        client_secret: "YOUR_CLIENT_SECRET"
      }
    },
    user: {
      summary: "User",
      value: { grant_type: "password", username: "YOUR_EMAIL_ADDRESS", password: "YOUR_PASSWORD" }
    },
    session: {
      summary: "Continued session",
      value: { grant_type: "refresh_token", refresh_token: "YOUR_REFRESH_TOKEN" }
    }
  },
  revokeToken: {
    session: { summary: "Session of a user", value: { token: "YOUR_REFRESH_TOKEN" } },
    client: {
      summary: "Token of an API client",
      value: { token: "YOUR_ACCESS_TOKEN", client_id: "YOUR_CLIENT_ID", client_secret: "YOUR_CLIENT_SECRET" }
    }
  }
}

const requestBody = (
  { identifier, method }: HttpApiEndpoint.Top,
  generated: JsonObject,
  schemas: JsonObject
): JsonObject => {
  const content = Object.entries(objectAt(generated, "requestBody", "content")).flatMap(([type, media]) => {
    const schema = isJsonObject(media) ? media["schema"] : undefined
    const examples = namedExamples[identifier]
    const example = type === binaryType ? "" : exampleOf(schema, schemas)
    const described = examples === undefined ? { schema, example } : { schema, examples }
    return [type, ...(method === "PATCH" ? [mergePatchType] : [])].map((mediaType) => [mediaType, described] as const)
  })
  const required = !withOptionalBody.has(identifier)
  return content.length === 0 ? {} : { requestBody: { required, content: Object.fromEntries(content) } }
}

/** Returns the path to the first field of a schema that has no fields itself. */
const firstField = (schema: unknown, schemas: JsonObject): ReadonlyArray<string> => {
  if (!isJsonObject(schema)) return []
  const { $ref } = schema
  const record = typeof $ref === "string" ? objectAt(schemas, componentName($ref)) : schema
  const [first] = Object.entries(objectAt(record, "properties"))
  return first === undefined ? [] : [first[0], ...firstField(first[1], schemas)]
}

/**
 * Returns the path of a field that the operation validates: a field of the body, or, without a body, a query parameter.
 */
const validatedField = (generated: JsonObject, parameters: ReadonlyArray<JsonObject>, schemas: JsonObject): string => {
  const body = firstField(objectAt(generated, "requestBody", "content", "application/json", "schema"), schemas)
  return body.length > 0
    ? body.join(".")
    : `query.${String(parameters.find((parameter) => parameter["in"] === "query")?.["name"])}`
}

const responses = (
  endpoint: HttpApiEndpoint.Top,
  generated: JsonObject,
  schemas: JsonObject,
  field: string
): JsonObject => {
  const errors = errorResponsesOf(endpoint)
  const isLimited = errors.some(({ status }) => status === 429)
  const successes = Object.keys(objectAt(generated, "responses")).map(Number).filter((status) => status < 400)
  const all: ReadonlyArray<readonly [number, JsonObject]> = [
    ...successes.map((status) =>
      [
        status,
        successResponse(endpoint, status, objectAt(generated, "responses", String(status)), schemas, isLimited)
      ] as const
    ),
    ...(isConditional(endpoint) ? [[304, notModified(endpoint, isLimited)] as const] : []),
    ...errors.map((error) => {
      const media = objectAt(generated, "responses", String(error.status), "content", "application/json")
      return [error.status, describeErrorResponse(error, media["schema"], field)] as const
    })
  ]
  return Object.fromEntries(all.toSorted(([a], [b]) => a - b))
}

/** Returns both security schemes if the operation requires an access token. Otherwise returns an empty list. */
const security = (generated: JsonObject): unknown => {
  const required = generated["security"]
  return Array.isArray(required) && required.length > 0 ? [...required, { oauth2: [] }] : []
}

/** Adds parameters, headers and examples to a generated operation. */
export const describeOperation = (
  endpoint: HttpApiEndpoint.Top,
  generated: JsonObject,
  schemas: JsonObject
): JsonObject => {
  const operationId = endpoint.identifier
  const { description, summary, tags } = generated
  const parameters = parametersOf(endpoint, !JSON.stringify(generated).includes("OAuth2ErrorResponse"))
  return {
    operationId,
    tags,
    summary,
    description,
    security: security(generated),
    parameters,
    ...requestBody(endpoint, generated, schemas),
    responses: responses(endpoint, generated, schemas, validatedField(generated, parameters, schemas))
  }
}
