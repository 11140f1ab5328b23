import { type HttpApiEndpoint } from "effect/http-api"
import { refusalsOf } from "../refusals.ts"
import { type HeaderName, headersOf } from "./headers.ts"
import { isJsonObject, type JsonObject } from "./JsonObject.ts"
import { isConditional, isIdempotent } from "./parametersOf.ts"
import { recordDescriptions } from "./recordDescriptions.ts"
import { responseExamples } from "./responseExamples.ts"

/** What success means where it has no body. */
const withoutBody: Readonly<Record<string, string>> = {
  deletePartner: "The partner is deleted. There is no body.",
  deleteUser: "The user is deleted. There is no body.",
  revokeToken: "The session has ended, or there was none. There is no body."
}

/** What a schema is called: the name of the record it refers to, or its own description. */
const describe = (schema: unknown): string | undefined => {
  if (!isJsonObject(schema)) return undefined
  const { $ref, description } = schema
  return typeof $ref === "string"
    ? recordDescriptions[$ref.slice($ref.lastIndexOf("/") + 1)]
    : typeof description === "string"
    ? description
    : undefined
}

/** Which operations answer a record as their request has left it. */
const leavesRecord = new Set([
  "createPartner",
  "updatePartner",
  "createUser",
  "updateUser",
  "createApplication",
  "requoteApplication",
  "submitKyc"
])

/** Which operations are for waiting, and may say when to ask again. */
const polled = new Set(["getApplicationStatus"])

/** Whether the answers of an operation are one caller's. */
const isPersonal = (endpoint: HttpApiEndpoint.Top): boolean =>
  refusalsOf(endpoint).some(({ codes }) => codes.includes("UNAUTHENTICATED"))

const retryNames = ({ identifier }: HttpApiEndpoint.Top): ReadonlyArray<HeaderName> =>
  polled.has(identifier) ? ["Retry-After"] : []

/** The headers of whatever an operation does not refuse. */
const shared = (endpoint: HttpApiEndpoint.Top, limited: boolean): ReadonlyArray<HeaderName> => [
  "X-Request-Id",
  "Cache-Control",
  ...(isPersonal(endpoint) ? ["Vary"] as const : []),
  ...retryNames(endpoint),
  ...(limited ? ["RateLimit", "RateLimit-Policy"] as const : [])
]

const headerNames = (endpoint: HttpApiEndpoint.Top, status: number, limited: boolean): ReadonlyArray<HeaderName> => [
  ...shared(endpoint, limited),
  ...(isConditional(endpoint) || leavesRecord.has(endpoint.identifier) ? ["ETag"] as const : []),
  ...(status === 201 ? ["Location"] as const : []),
  ...(isIdempotent(endpoint) ? ["Idempotency-Replayed"] as const : [])
]

/** The response with which an operation succeeds. `limited` says whether it counts against a limit. */
export const successResponse = (
  endpoint: HttpApiEndpoint.Top,
  status: number,
  generated: JsonObject,
  limited: boolean
): JsonObject => {
  const content = isJsonObject(generated["content"]) ? generated["content"] : {}
  const schema = isJsonObject(content["application/json"]) ? content["application/json"]["schema"] : undefined
  return {
    description: withoutBody[endpoint.identifier] ?? describe(schema) ?? generated["description"],
    headers: headersOf(headerNames(endpoint, status, limited)),
    ...(schema === undefined
      ? {}
      : { content: { "application/json": { schema, examples: responseExamples[endpoint.identifier] } } })
  }
}

/** The response that spares the caller a record it has already. */
export const notModified = (endpoint: HttpApiEndpoint.Top, limited: boolean): JsonObject => ({
  description: "The record is still in the state that `If-None-Match` names. There is no body.",
  headers: headersOf([...shared(endpoint, limited), "ETag"])
})
