import { type HttpApiEndpoint } from "effect/http-api"
import { refusalsOf } from "../refusals.ts"
import { open } from "./describeRecords.ts"
import { isJsonObject, type JsonObject } from "./JsonObject.ts"
import { isConditional, parametersOf } from "./parametersOf.ts"
import { refusalResponse } from "./refusalResponse.ts"
import { requestExamples } from "./requestExamples.ts"
import { notModified, successResponse } from "./successResponse.ts"

const objectAt = (object: JsonObject, ...path: ReadonlyArray<string>): JsonObject =>
  path.reduce<JsonObject>((value, key) => {
    const inner = value[key]
    return isJsonObject(inner) ? inner : {}
  }, object)

/** The operations whose body may be left out. */
const bodyIsOptional = new Set(["requoteApplication"])

const requestBody = (operationId: string, generated: JsonObject, oauth2: boolean): JsonObject => {
  const content = Object.keys(objectAt(generated, "requestBody", "content")).map((type) => {
    const schema = objectAt(generated, "requestBody", "content", type, "schema")
    return [type, { schema: oauth2 ? open(schema) : schema, examples: requestExamples[operationId] }] as const
  })
  const required = !bodyIsOptional.has(operationId)
  return content.length === 0 ? {} : { requestBody: { required, content: Object.fromEntries(content) } }
}

const responses = (endpoint: HttpApiEndpoint.Top, generated: JsonObject): JsonObject => {
  const refusals = refusalsOf(endpoint)
  const limited = refusals.some(({ status }) => status === 429)
  const successes = Object.keys(objectAt(generated, "responses")).map(Number).filter((status) => status < 400)
  const all: ReadonlyArray<readonly [number, JsonObject]> = [
    ...successes.map((status) =>
      [
        status,
        successResponse(endpoint, status, objectAt(generated, "responses", String(status)), limited)
      ] as const
    ),
    ...(isConditional(endpoint) ? [[304, notModified(endpoint, limited)] as const] : []),
    ...refusals.map((refusal) => {
      const media = objectAt(generated, "responses", String(refusal.status), "content", "application/json")
      return [refusal.status, refusalResponse(endpoint.identifier, refusal, media["schema"])] as const
    })
  ]
  return Object.fromEntries(all.toSorted(([a], [b]) => a - b))
}

/** The HTTP Basic that the token operation takes instead of fields of the body. */
const security = (operationId: string, generated: JsonObject): unknown =>
  operationId === "issueToken" ? [{}, { client: [] }] : generated["security"]

/** One operation as the description has it: what was generated, with parameters, headers and examples. */
export const describeOperation = (endpoint: HttpApiEndpoint.Top, generated: JsonObject): JsonObject => {
  const operationId = endpoint.identifier
  const { description, summary, tags } = generated
  const oauth2 = JSON.stringify(generated).includes("OAuth2ErrorResponse")
  return {
    operationId,
    tags,
    summary,
    description,
    security: security(operationId, generated),
    parameters: parametersOf(endpoint, !oauth2),
    ...requestBody(operationId, generated, oauth2),
    responses: responses(endpoint, generated)
  }
}
