import { type Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { type ApiErrorCode, statusOfCode } from "./ApiError.ts"
import { type OAuth2ErrorCode, OAuth2ErrorResponse } from "./OAuth2Error.ts"

const annotation = "lastro/response"

/** The error codes of an operation with the same HTTP status. */
export interface ErrorCodes {
  readonly status: number
  readonly codes: ReadonlyArray<string>
}

const response = <S extends Schema.Top>(envelope: S, status: number, codes: ReadonlyArray<string>) =>
  envelope.annotate({ [annotation]: { status, codes } satisfies ErrorCodes }).pipe(HttpApiSchema.status(status))

/** Returns one error response per HTTP status of the codes. All have the same envelope. */
export const errorResponses = <S extends Schema.Top>(envelope: S, codes: ReadonlyArray<ApiErrorCode>) =>
  [...Map.groupBy(codes, (code) => statusOfCode[code])].map(([status, codes]) => response(envelope, status, codes))

/**
 * Returns the error responses of a token operation. `codes` lists the OAuth 2 error codes by HTTP status, because the
 * same code is used with several statuses.
 */
export const oauth2ErrorResponses = (codes: Readonly<Record<number, ReadonlyArray<OAuth2ErrorCode>>>) =>
  Object.entries(codes).map(([status, codes]) => response(OAuth2ErrorResponse, Number(status), codes))

export const errorResponsesOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<ErrorCodes> =>
  [...endpoint.error].flatMap(({ ast }) => SchemaAST.resolveAt<ErrorCodes>(annotation)(ast) ?? [])

/** Error codes that every operation can return. */
export const always = ["METHOD_NOT_ALLOWED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE", "OUTCOME_UNKNOWN"] as const

/** Error codes that every operation with an access token can return. */
export const authenticated = ["UNAUTHENTICATED", "PASSWORD_CHANGE_REQUIRED", "RATE_LIMITED", ...always] as const

/** Error codes that an operation with a body can return. */
const body = ["MALFORMED_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const

/** Error codes that an operation on a record with an id in the path can return. */
const record = ["NOT_FOUND", "OUTSIDE_HIERARCHY"] as const

/** Error codes that an operation with an `Idempotency-Key` can return. */
const idempotency = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_FLIGHT"] as const

/** Error codes of a list. */
export const list = ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated] as const

/** Error codes of the read of a record with an id in the path. `own`: those of this operation only. */
export const read = (...own: ReadonlyArray<ApiErrorCode>) =>
  ["PERMISSION_DENIED", ...record, ...own, ...authenticated] as const

/** Error codes of a command with an `Idempotency-Key`. `own`: those of this operation only. */
export const command = (...own: ReadonlyArray<ApiErrorCode>) =>
  [...body, "PERMISSION_DENIED", ...own, "VALIDATION_FAILED", ...idempotency, ...authenticated] as const

/** Error codes of a command on a record with an id in the path. `own`: those of this operation only. */
export const recordCommand = (...own: ReadonlyArray<ApiErrorCode>) => command(...record, ...own)

/** Error codes of the patch of a record. `own`: those of this operation only. */
export const patch = (...own: ReadonlyArray<ApiErrorCode>) =>
  [
    ...body,
    "PERMISSION_DENIED",
    ...record,
    ...own,
    "PRECONDITION_FAILED",
    "VALIDATION_FAILED",
    ...authenticated
  ] as const

/** Error codes of the deletion of a record. `own`: those of this operation only. */
export const deletion = (...own: ReadonlyArray<ApiErrorCode>) =>
  ["PERMISSION_DENIED", ...record, ...own, "PRECONDITION_FAILED", ...authenticated] as const
