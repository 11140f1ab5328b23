import { csvFormats, csvHeader, type ExportName, exports, isExported } from "@lastro/domain/export"
import { type HttpApiEndpoint } from "effect/http-api"
import { errorResponsesOf } from "../errorResponses.ts"
import { componentName, exampleOf } from "./exampleOf.ts"
import { type HeaderName, headersOf } from "./headers.ts"
import { isJsonObject, type JsonObject } from "./JsonObject.ts"
import { isIdempotent, returnsRecord } from "./parameters.ts"

const withoutBody: Readonly<Record<string, string>> = {
  deletePartner: "The partner is deleted. The response has no body.",
  deleteUser: "The user is deleted. The response has no body.",
  revokeClient: "The API client is revoked. The response has no body.",
  revokeToken: "The session has ended or did not exist. The response has no body."
}

const describe = (schema: unknown, schemas: JsonObject): unknown => {
  if (!isJsonObject(schema)) return undefined
  const { $ref, description } = schema
  return description ?? (typeof $ref === "string" ? describe(schemas[componentName($ref)], schemas) : undefined)
}

/** The example values of a quote in progress: it has no offers yet. */
const quoting = { status: "QUOTING", quote: { status: "PENDING", offers: [], completed_at: null } }
const overrides: Readonly<Record<string, JsonObject>> = { createApplication: quoting, requoteApplication: quoting }

const merge = (value: unknown, override: unknown): unknown =>
  isJsonObject(value) && isJsonObject(override)
    ? {
      ...value,
      ...Object.fromEntries(Object.entries(override).map(([key, inner]) => [key, merge(value[key], inner)]))
    }
    : override

const example = (operationId: string, schema: unknown, schemas: JsonObject): unknown => {
  const composed = exampleOf(schema, schemas)
  return overrides[operationId] === undefined ? composed : merge(composed, overrides[operationId])
}

const requiresToken = (endpoint: HttpApiEndpoint.Top): boolean =>
  errorResponsesOf(endpoint).some(({ codes }) => codes.includes("UNAUTHENTICATED"))

/** Lists the headers of all responses that are not errors. */
const shared = (endpoint: HttpApiEndpoint.Top, isLimited: boolean): ReadonlyArray<HeaderName> => [
  "X-Request-Id",
  "Cache-Control",
  ...(requiresToken(endpoint) ? ["Vary"] as const : []),
  ...(endpoint.identifier === "getApplicationStatus" ? ["Retry-After"] as const : []),
  ...(isLimited ? ["RateLimit", "RateLimit-Policy"] as const : [])
]

const headerNames = (endpoint: HttpApiEndpoint.Top, status: number, isLimited: boolean): ReadonlyArray<HeaderName> => [
  ...shared(endpoint, isLimited),
  ...(status !== 204 && returnsRecord(endpoint) ? ["ETag"] as const : []),
  ...(status === 201 ? ["Location"] as const : []),
  ...(isIdempotent(endpoint) ? ["Idempotency-Replayed"] as const : [])
]

/** Describes the CSV file of a list. The example is the header row of the file. */
const csvContent = (name: ExportName): JsonObject => ({
  "text/csv": {
    schema: { type: "string", description: "The whole list (RFC 4180), with a header" },
    example: csvHeader(exports[name].columns, csvFormats.en)
  }
})

/** Describes a success response. `isLimited` is true if the operation is rate-limited. */
export const successResponse = (
  endpoint: HttpApiEndpoint.Top,
  status: number,
  generated: JsonObject,
  schemas: JsonObject,
  isLimited: boolean
): JsonObject => {
  const content = isJsonObject(generated["content"]) ? generated["content"] : {}
  const schema = isJsonObject(content["application/json"]) ? content["application/json"]["schema"] : undefined
  return {
    description: withoutBody[endpoint.identifier] ?? describe(schema, schemas) ?? generated["description"],
    headers: headersOf(headerNames(endpoint, status, isLimited)),
    ...(schema === undefined ? {} : {
      content: {
        "application/json": { schema, example: example(endpoint.identifier, schema, schemas) },
        ...(isExported(endpoint.identifier) ? csvContent(endpoint.identifier) : {})
      }
    })
  }
}

export const notModified = (endpoint: HttpApiEndpoint.Top, isLimited: boolean): JsonObject => ({
  description: "The record still matches `If-None-Match`. The response has no body.",
  headers: headersOf([...shared(endpoint, isLimited), "ETag"])
})
