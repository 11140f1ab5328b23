import { Schema } from "effect"
import { ApiErrorCode } from "../ApiError.ts"
import { OAuth2ErrorCode } from "../OAuth2Error.ts"
import { type Refusal } from "../refusals.ts"
import { codeDescription } from "./codeDescriptions.ts"
import { errorExample, oauth2ErrorExample, validationExamples } from "./errorExamples.ts"
import { type Examples } from "./Examples.ts"
import { type HeaderName, headersOf } from "./headers.ts"
import { type JsonObject } from "./JsonObject.ts"

const isApiErrorCode = Schema.is(ApiErrorCode)
const isOAuth2ErrorCode = Schema.is(OAuth2ErrorCode)

/** Every error that is the same for all operations, as components. */
export const sharedErrorExamples = (codes: ReadonlySet<string>): Examples<unknown> =>
  Object.fromEntries(
    ApiErrorCode.literals.filter((code) => codes.has(code)).map((code) => [
      code,
      { summary: code, value: errorExample(code) }
    ])
  )

const example = (operationId: string, status: number, code: string): readonly [string, JsonObject] => {
  const own = code === "VALIDATION_FAILED" ? validationExamples[operationId] : undefined
  if (own !== undefined) return [code, { summary: code, value: errorExample("VALIDATION_FAILED", own) }]
  if (isApiErrorCode(code)) return [code, { $ref: `#/components/examples/${code}` }]
  if (isOAuth2ErrorCode(code)) return [code, { summary: code, value: oauth2ErrorExample(code, status) }]
  throw new Error(`no example of ${code}`)
}

const headerNames = ({ codes, status }: Refusal): ReadonlyArray<HeaderName> => [
  "X-Request-Id",
  ...(codes.every(isApiErrorCode) ? ["Content-Language", "Vary"] as const : []),
  ...(status === 401 ? ["WWW-Authenticate"] as const : []),
  ...(status === 405 ? ["Allow"] as const : []),
  ...(status === 429 || status === 503 || codes.includes("IDEMPOTENCY_IN_FLIGHT") ? ["Retry-After"] as const : []),
  ...(status === 429 ? ["RateLimit", "RateLimit-Policy"] as const : [])
]

const describe = (operationId: string, codes: ReadonlyArray<string>): string => {
  const lines = codes.map((code) => `\`${code}\`: ${codeDescription(operationId, code)}`)
  return lines.length === 1 ? lines.join() : lines.map((line) => `- ${line}`).join("\n")
}

/** The response with which an operation refuses; `schema` is its envelope. */
export const refusalResponse = (operationId: string, refusal: Refusal, schema: unknown): JsonObject => ({
  description: describe(operationId, refusal.codes),
  headers: headersOf(headerNames(refusal)),
  content: {
    "application/json": {
      schema,
      examples: Object.fromEntries(refusal.codes.map((code) => example(operationId, refusal.status, code)))
    }
  }
})
