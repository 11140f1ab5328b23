import { type FieldProblem } from "@lastro/domain/input"
import { Schema } from "effect"
import { messagesEn } from "../../errors/messagesEn.ts"
import { ApiErrorCode, type ApiErrorResponse, apiErrors } from "../ApiError.ts"
import { type ErrorCodes } from "../errorResponses.ts"
import { OAuth2ErrorCode, type OAuth2ErrorResponse, oauth2Errors } from "../OAuth2Error.ts"
import { type HeaderName, headersOf } from "./headers.ts"
import { type JsonObject } from "./JsonObject.ts"

const isApiErrorCode = Schema.is(ApiErrorCode)
const isOAuth2ErrorCode = Schema.is(OAuth2ErrorCode)

const details: Partial<Record<ApiErrorCode, ReadonlyArray<FieldProblem>>> = {
  OFFER_NOT_AVAILABLE: [{ field: "offer_id", code: "EXPIRED" }],
  KYC_INCOMPLETE: [{ field: "mother_name", code: "REQUIRED" }],
  PARTNER_HAS_DEPENDENTS: [{ field: "partner_id", code: "HAS_CHILDREN", params: { count: 3 } }]
}

const errorExample = (code: ApiErrorCode, problems = details[code] ?? []): ApiErrorResponse => ({
  error: {
    code,
    message: messagesEn.errors[code],
    request_id: "0197f3a2-9f50-7182-8c8e-3f4051627384",
    details: problems.map((problem) => ({ ...problem, message: messagesEn.fields[problem.code](problem.params ?? {}) }))
  }
})

const oauth2ErrorExample = (error: OAuth2ErrorCode): OAuth2ErrorResponse => ({
  error,
  error_description: oauth2Errors[error]
})

/**
 * Returns the shared components with one example per error code. `VALIDATION_FAILED` is not among them, because each
 * operation has its own example.
 */
export const sharedErrorExamples = (codes: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    ApiErrorCode.literals
      .filter((code) => codes.has(code) && code !== "VALIDATION_FAILED")
      .map((code) => [code, { summary: code, value: errorExample(code) }])
  )

/** Returns the example of an error code. `field` is the path of a field that the operation validates. */
const example = (code: string, field: string): JsonObject => {
  if (code === "VALIDATION_FAILED") {
    return { summary: code, value: errorExample(code, [{ field, code: "INVALID_TYPE" }]) }
  }
  if (isApiErrorCode(code)) return { $ref: `#/components/examples/${code}` }
  if (isOAuth2ErrorCode(code)) return { summary: code, value: oauth2ErrorExample(code) }
  throw new Error(`no example of ${code}`)
}

const descriptionOf = (code: string): string => {
  if (isApiErrorCode(code)) return apiErrors[code].description
  return isOAuth2ErrorCode(code) ? oauth2Errors[code] : code
}

const describe = (codes: ReadonlyArray<string>): string => {
  const lines = codes.map((code) => `\`${code}\`: ${descriptionOf(code)}`)
  return lines.length === 1 ? lines.join() : lines.map((line) => `- ${line}`).join("\n")
}

const headerNames = ({ codes, status }: ErrorCodes): ReadonlyArray<HeaderName> => [
  "X-Request-Id",
  ...(codes.every(isApiErrorCode) ? ["Content-Language", "Vary"] as const : []),
  ...(status === 401 ? ["WWW-Authenticate"] as const : []),
  ...(status === 405 ? ["Allow"] as const : []),
  ...(status === 429 || status === 503 || codes.includes("IDEMPOTENCY_IN_FLIGHT") ? ["Retry-After"] as const : []),
  ...(status === 429 ? ["RateLimit", "RateLimit-Policy"] as const : [])
]

/**
 * Describes an error response. `schema` is the schema of its envelope. `field` is the path of a field that the
 * operation validates.
 */
export const describeErrorResponse = (response: ErrorCodes, schema: unknown, field: string): JsonObject => ({
  description: describe(response.codes),
  headers: headersOf(headerNames(response)),
  content: {
    "application/json": {
      schema,
      examples: Object.fromEntries(response.codes.map((code) => [code, example(code, field)]))
    }
  }
})
