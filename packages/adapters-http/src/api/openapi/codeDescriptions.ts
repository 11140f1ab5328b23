import { type ApiErrorCode } from "../ApiError.ts"
import { type OAuth2ErrorCode } from "../OAuth2Error.ts"

const descriptions: Readonly<Record<ApiErrorCode | OAuth2ErrorCode, string>> = {
  MALFORMED_REQUEST: "the request is not well-formed HTTP/1.1",
  MALFORMED_JSON: "the body is not well-formed JSON in UTF-8, or names a field twice",
  UNAUTHENTICATED: "the access token is missing, wrong, expired, or worth nothing any more",
  OUTSIDE_HIERARCHY: "the record lies outside the subtree of the caller's partner",
  PERMISSION_DENIED: "the caller's group, or the scope of its token, does not allow this",
  PASSWORD_CHANGE_REQUIRED: "the user has a temporary password and may only replace it",
  NOT_FOUND: "there is no such record, or its id is malformed",
  METHOD_NOT_ALLOWED: "the path does not have this method",
  REQUEST_TIMEOUT: "the request did not arrive in time",
  EMAIL_TAKEN: "another user has this e-mail address",
  DOCUMENT_TAKEN: "another partner under the same root has this document",
  PARTNER_HAS_DEPENDENTS: "the partner still has children, users or unfinished applications; the details count them",
  SELF_DELETE: "nobody deletes itself or its own partner",
  QUOTE_IN_PROGRESS: "the application is being quoted",
  APPLICATION_NOT_QUOTABLE:
    "an offer was accepted, the rejection cannot be asked again or not yet (`retry_at`), or the partner is deleted",
  OFFER_NOT_AVAILABLE: "the offer is `EXPIRED`, `SUPERSEDED` or `DECLINED`, as its detail says",
  KYC_INCOMPLETE: "data about the customer is missing; the details name it",
  KYC_LOCKED: "an offer was accepted: the data about the customer cannot change any more",
  IDEMPOTENCY_IN_FLIGHT: "the first request with this `Idempotency-Key` is still running",
  PRECONDITION_FAILED: "the record is not in the state that `If-Match` names",
  PAYLOAD_TOO_LARGE: "the body is larger than 256 KiB or nests too deeply",
  UNSUPPORTED_MEDIA_TYPE: "the body is not of a media type that is read here, or not in UTF-8",
  EXPECTATION_FAILED: "the request carries an `Expect` other than `100-continue`",
  VALIDATION_FAILED: "the request breaks a rule; the details list every problem",
  IDEMPOTENCY_KEY_REUSED: "this `Idempotency-Key` was used for another request",
  RATE_LIMITED: "too many requests; `Retry-After` says when to come back",
  HEADERS_TOO_LARGE: "the address and the headers are larger than 16 KiB",
  INTERNAL_ERROR: "something went wrong in the server; nothing was changed",
  SERVICE_UNAVAILABLE: "something the server needs cannot be reached; `Retry-After` says when to try again",
  invalid_request: "the request is malformed: its method, media type, size, or a parameter",
  invalid_client: "the client is unknown or its secret is wrong",
  invalid_grant: "the username, the password or the refresh token is wrong or not valid any more",
  unsupported_grant_type: "`grant_type` is none of `client_credentials`, `password`, `refresh_token`",
  invalid_scope: "`scope` names something unknown or more than the caller's group allows",
  server_error: "something went wrong in the server",
  temporarily_unavailable: "too many requests or failures, or a server in trouble; `Retry-After` says when to try again"
}

const isCode = (code: string): code is keyof typeof descriptions => Object.hasOwn(descriptions, code)

/** A creation meets a record only where it would repeat its first answer. */
const replayed: Readonly<Record<string, string>> = {
  OUTSIDE_HIERARCHY: "the first answer with this `Idempotency-Key` created a record that the caller no longer reaches"
}

const creations = new Set(["createPartner", "createUser", "createApplication"])

/** When an operation answers this code, for developers. */
export const codeDescription = (operationId: string, code: string): string =>
  (creations.has(operationId) ? replayed[code] : undefined) ?? (isCode(code) ? descriptions[code] : code)
