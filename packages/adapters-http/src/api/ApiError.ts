import { FieldErrorCode } from "@lastro/domain"
import { Schema } from "effect"

/** Why a request was refused. Stable: programs branch on it, people read the message beside it. */
export const ApiErrorCode = Schema.Literals([
  "MALFORMED_REQUEST",
  "MALFORMED_JSON",
  "UNAUTHENTICATED",
  "OUTSIDE_HIERARCHY",
  "PERMISSION_DENIED",
  "PASSWORD_CHANGE_REQUIRED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "EMAIL_TAKEN",
  "DOCUMENT_TAKEN",
  "PARTNER_HAS_DEPENDENTS",
  "SELF_DELETE",
  "QUOTE_IN_PROGRESS",
  "APPLICATION_NOT_QUOTABLE",
  "OFFER_NOT_AVAILABLE",
  "KYC_INCOMPLETE",
  "KYC_LOCKED",
  "IDEMPOTENCY_IN_FLIGHT",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "EXPECTATION_FAILED",
  "VALIDATION_FAILED",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMITED",
  "HEADERS_TOO_LARGE",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE"
]).annotate({
  identifier: "ApiErrorCode",
  description: "Why the request was refused. Stable: programs branch on it."
})
export type ApiErrorCode = typeof ApiErrorCode.Type

/** The status that carries each code. */
export const statusOfCode = {
  MALFORMED_REQUEST: 400,
  MALFORMED_JSON: 400,
  UNAUTHENTICATED: 401,
  OUTSIDE_HIERARCHY: 403,
  PERMISSION_DENIED: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  EMAIL_TAKEN: 409,
  DOCUMENT_TAKEN: 409,
  PARTNER_HAS_DEPENDENTS: 409,
  SELF_DELETE: 409,
  QUOTE_IN_PROGRESS: 409,
  APPLICATION_NOT_QUOTABLE: 409,
  OFFER_NOT_AVAILABLE: 409,
  KYC_INCOMPLETE: 409,
  KYC_LOCKED: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503
} as const satisfies Record<ApiErrorCode, number>

/** What is wrong with one part of a request. Never holds the rejected value. */
export const ErrorDetail = Schema.Struct({
  field: Schema.String.annotate({
    description: "JSON path in the body (`address.uf`, `partners[1]`), or `query.NAME`, or `header.NAME`",
    examples: ["partner.document_number"]
  }),
  code: FieldErrorCode,
  message: Schema.String.annotate({ description: "For people, in the language of Accept-Language" }),
  params: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])).annotate({
      description: "Facts the message mentions: bounds, counts, allowed values",
      examples: [{ count: 3 }]
    })
  )
}).annotate({ identifier: "ErrorDetail", description: "What is wrong with one part of the request" })
export type ErrorDetail = typeof ErrorDetail.Type

/** Why a request was refused, with every problem of it at once. */
export const ApiError = Schema.Struct({
  code: ApiErrorCode,
  message: Schema.String.annotate({ description: "For people, in the language of Accept-Language" }),
  request_id: Schema.String.annotate({ description: "The X-Request-Id of the response" }),
  details: Schema.Array(ErrorDetail).annotate({ description: "Every problem of the request; empty where none applies" })
}).annotate({ identifier: "ApiError", description: "Why the request was refused" })
export type ApiError = typeof ApiError.Type

/** The error envelope of origination and proposals, and of whatever belongs to no group of operations. */
export const ApiErrorResponse = Schema.Struct({ error: ApiError }).annotate({
  identifier: "ApiErrorResponse",
  description:
    "The error envelope of origination and proposals, of the system operations, and of paths that do not exist"
})
export type ApiErrorResponse = typeof ApiErrorResponse.Type

/** The error envelope of partners, users and groups; the same shape as {@link ApiErrorResponse}. */
export const BankerizeErrorResponse = Schema.Struct({ error: ApiError }).annotate({
  identifier: "BankerizeErrorResponse",
  description: "The error envelope of partners, users and groups"
})
export type BankerizeErrorResponse = typeof BankerizeErrorResponse.Type
