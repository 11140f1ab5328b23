import { type Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { type ApiErrorCode, statusOfCode } from "./ApiError.ts"
import { type OAuth2ErrorCode, OAuth2ErrorResponse } from "./OAuth2Error.ts"

const annotation = "lastro/refusal"

/** The error codes of an operation that share one HTTP status. */
export interface Refusal {
  readonly status: number
  readonly codes: ReadonlyArray<string>
}

const refusal = <S extends Schema.Top>(envelope: S, status: number, codes: ReadonlyArray<string>) =>
  envelope.annotate({ [annotation]: { status, codes } satisfies Refusal }).pipe(HttpApiSchema.status(status))

/** Makes one error response for each status of these codes, all with the same envelope. */
export const refusals = <S extends Schema.Top>(envelope: S, codes: ReadonlyArray<ApiErrorCode>) =>
  [...Map.groupBy(codes, (code) => statusOfCode[code])].map(([status, codes]) => refusal(envelope, status, codes))

/**
 * Makes the error responses of a token operation. `codes` lists the error codes for each HTTP status. The statuses must be given,
 * because an OAuth 2 code alone does not determine its HTTP status.
 */
export const oauth2Refusals = (codes: Readonly<Record<number, ReadonlyArray<OAuth2ErrorCode>>>) =>
  Object.entries(codes).map(([status, codes]) => refusal(OAuth2ErrorResponse, Number(status), codes))

/** Lists all error responses of an operation. */
export const refusalsOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<Refusal> =>
  [...endpoint.error].flatMap(({ ast }) => SchemaAST.resolveAt<Refusal>(annotation)(ast) ?? [])

/** Error codes of every operation. */
export const always = ["METHOD_NOT_ALLOWED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE", "OUTCOME_UNKNOWN"] as const

/** Error codes of every operation that requires an access token. */
export const authenticated = ["UNAUTHENTICATED", "PASSWORD_CHANGE_REQUIRED", "RATE_LIMITED", ...always] as const

/** Error codes of operations that read a body. */
export const body = ["MALFORMED_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const

/** Error codes of operations on a record with an id in the path. */
export const record = ["NOT_FOUND", "OUTSIDE_HIERARCHY"] as const

/** Error codes of operations that accept an `Idempotency-Key`. */
export const idempotency = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_FLIGHT"] as const
