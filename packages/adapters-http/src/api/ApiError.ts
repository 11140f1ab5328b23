import { FieldErrorCode } from "@lastro/domain/input"
import { Record, Schema, Struct } from "effect"

/** Every error code with its HTTP status and its description for developers. A code never changes its meaning. */
export const apiErrors = {
  MALFORMED_REQUEST: { status: 400, description: "the request is not well-formed HTTP/1.1" },
  MALFORMED_JSON: { status: 400, description: "the body is not well-formed JSON in UTF-8" },
  UNAUTHENTICATED: { status: 401, description: "the access token is missing, invalid, expired or revoked" },
  CALLBACK_REFUSED: {
    status: 401,
    description: "the callback does not come from the lender: its signature or secret is wrong, or it is too old"
  },
  OUTSIDE_HIERARCHY: { status: 403, description: "the record is outside the caller's subtree" },
  PERMISSION_DENIED: {
    status: 403,
    description: "the caller's group, or the scope of its token, lacks the permission"
  },
  PASSWORD_CHANGE_REQUIRED: { status: 403, description: "the user has a temporary password and must replace it first" },
  NOT_FOUND: { status: 404, description: "the record does not exist, or its id is malformed" },
  METHOD_NOT_ALLOWED: { status: 405, description: "the path does not support the method" },
  REQUEST_TIMEOUT: { status: 408, description: "the request did not arrive in time" },
  EMAIL_TAKEN: { status: 409, description: "another user has the e-mail address" },
  DOCUMENT_TAKEN: { status: 409, description: "another partner under the same root has the document" },
  PARTNER_HAS_DEPENDENTS: {
    status: 409,
    description: "the partner has children, users, unfinished applications or unpaid commissions; see the details"
  },
  NOTHING_TO_PAY: { status: 409, description: "the closed commissions of the partner do not add up to more than 0" },
  LAST_ADMINISTRATOR: { status: 409, description: "the user is the last active administrator of your partner" },
  OWN_PARTNER: { status: 403, description: "only a partner above your own, or the operator, may change this" },
  SELF_DELETE: { status: 409, description: "you cannot delete yourself or your own partner" },
  NO_LENDER: { status: 409, description: "no lender gets new quotes of the partner now" },
  QUOTE_IN_PROGRESS: { status: 409, description: "a quote of the application is in progress" },
  APPLICATION_NOT_QUOTABLE: {
    status: 409,
    description:
      "an offer was accepted, the rejection is not retryable or its `retry_at` is in the future, or the partner is deleted"
  },
  APPLICATION_NOT_CANCELLABLE: {
    status: 409,
    description: "the application is paid, refunding or cancelled, or its lender cannot cancel the contract"
  },
  PROPOSAL_NOT_WITHDRAWABLE: {
    status: 409,
    description: "the contract is not paid, the right of regret has ended, or the lender offers no refund"
  },
  SIGNATURE_NOT_PENDING: {
    status: 409,
    description: "the contract does not await a signature, or its lender offers no new signature link"
  },
  OFFER_NOT_AVAILABLE: {
    status: 409,
    description:
      "the offer is `EXPIRED`, `SUPERSEDED` or `DECLINED`, the rules of the day do not allow it (`POLICY_CHANGED`), or " +
      "another proposal of the customer pledges the next annual withdrawal, or one of the offer (`EXISTING_CONTRACT`); " +
      "see the details. If the caller may not see the other proposal, the detail is `POLICY_CHANGED`, too"
  },
  KYC_INCOMPLETE: { status: 409, description: "required KYC fields are missing; the details list them" },
  KYC_LOCKED: {
    status: 409,
    description:
      "an offer was accepted, or the application was cancelled, and the KYC data can no longer change; the details list " +
      "the locked fields if others can be corrected"
  },
  EARLIER_SECRET_VALID: {
    status: 409,
    description: "an earlier secret of the API client is still valid, and the rotation would end it"
  },
  TOO_MANY_WEBHOOKS: { status: 409, description: "the partner has 20 webhooks, the maximum" },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    description: "the first request with this `Idempotency-Key` is still in progress"
  },
  EVENTS_EXPIRED: { status: 410, description: "events after `after` have been deleted; read without `after`" },
  PRECONDITION_FAILED: { status: 412, description: "the record no longer matches `If-Match`" },
  PAYLOAD_TOO_LARGE: { status: 413, description: "the body is larger than 256 KiB or nested too deeply" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, description: "the media type or the charset of the body is not supported" },
  EXPECTATION_FAILED: { status: 417, description: "the request has an `Expect` header other than `100-continue`" },
  VALIDATION_FAILED: { status: 422, description: "the request is invalid; the details list every problem" },
  IDEMPOTENCY_KEY_REUSED: { status: 422, description: "this `Idempotency-Key` was used for a different request" },
  RATE_LIMITED: { status: 429, description: "too many requests; retry after `Retry-After`" },
  HEADERS_TOO_LARGE: { status: 431, description: "the URL and the headers together exceed 16 KiB" },
  INTERNAL_ERROR: { status: 500, description: "internal error; nothing was changed" },
  SERVICE_UNAVAILABLE: {
    status: 503,
    description: "a dependency of the server is unavailable; nothing was changed; retry after `Retry-After`"
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    description:
      "the change may or may not have been made, because the connection to the database was lost or the time limit was reached; read the record, or repeat the request with the same `Idempotency-Key`"
  }
} as const

/** A stable error code for programs. The message is for people. */
export const ApiErrorCode = Schema.Literals(Struct.keys(apiErrors)).annotate({
  identifier: "ApiErrorCode",
  description: "Stable error code, for clients to branch on"
})
export type ApiErrorCode = typeof ApiErrorCode.Type

/** The HTTP status of each code. */
export const statusOfCode = Record.map(apiErrors, ({ status }) => status)

/** A problem with one field. It never contains the rejected value. */
export const ErrorDetail = Schema.Struct({
  field: Schema.String.annotate({
    description: "Path in the body (`address.uf`, `partners[1]`), or `query.NAME`, or `header.NAME`",
    examples: ["partner.document_number"]
  }),
  code: FieldErrorCode,
  message: Schema.String.annotate({ description: "Message for people, in the language of `Accept-Language`" }),
  params: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])).annotate({
      description: "Values that the message mentions: bounds, counts, allowed values",
      examples: [{ count: 3 }]
    })
  )
}).annotate({ identifier: "ErrorDetail", description: "A problem with one field" })
export type ErrorDetail = typeof ErrorDetail.Type

/** An error with all problems of the request. */
export const ApiError = Schema.Struct({
  code: ApiErrorCode,
  message: Schema.String.annotate({ description: "Message for people, in the language of `Accept-Language`" }),
  request_id: Schema.String.annotate({ description: "The `X-Request-Id` of the response" }),
  details: Schema.Array(ErrorDetail).annotate({
    description: "The problems of the request: at most 100, possibly none. `message` states how many more there are."
  })
}).annotate({ identifier: "ApiError", description: "Error code, message and details" })
export type ApiError = typeof ApiError.Type

/** The error envelope of origination, proposals, system operations and unknown paths. */
export const ApiErrorResponse = Schema.Struct({ error: ApiError }).annotate({
  identifier: "ApiErrorResponse",
  description: "Error envelope of origination, proposals, system operations and unknown paths"
})
export type ApiErrorResponse = typeof ApiErrorResponse.Type

/**
 * The error envelope of partners, users and groups. It has the fields of {@link ApiErrorResponse}. Both names are part
 * of the API's contract.
 */
export const BankerizeErrorResponse = Schema.Struct({ error: ApiError }).annotate({
  identifier: "BankerizeErrorResponse",
  description: "Error envelope of partners, users and groups"
})
export type BankerizeErrorResponse = typeof BankerizeErrorResponse.Type
