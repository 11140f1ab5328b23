import { type Unauthenticated } from "@lastro/domain/identity"
import { type FieldProblem } from "@lastro/domain/input"
import { type ApiErrorCode } from "../api/ApiError.ts"
import { type Refusal } from "./Refusal.ts"

/** The parts of an error response that do not depend on the language. */
export interface DescribedRefusal {
  readonly code: ApiErrorCode
  readonly details?: ReadonlyArray<FieldProblem>
  /** The key of a message that is more precise than that of the error code. */
  readonly reason?: MessageKey
  /** Number of problems that `details` omits. */
  readonly unlisted?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The keys of messages that are more precise than the message of an error code. */
export type MessageKey =
  | "LENDER_CANNOT_CANCEL"
  | "LENDER_MAY_HAVE_CONTRACT"
  | "NOT_PAID"
  | "TOO_LATE"
  | "LENDER_CANNOT_REFUND"
  | "LENDER_HAS_NO_LINKS"
  | "FIELDS_LOCKED"
  | "SEND_CSV"
  | "TOO_MANY_EXPORTS"

/** Seconds in `Retry-After` for an error without a time of its own. */
const defaultRetrySeconds = 1

const retryAfter = (seconds: number) => ({ "retry-after": String(Math.max(1, seconds)) })

/** Returns the `WWW-Authenticate` challenge (RFC 6750 §3). It names an error only if the request had a token. */
const bearerChallenge = ({ reason }: Unauthenticated): string =>
  reason === "missing"
    ? "Bearer realm=\"lastro\""
    : "Bearer realm=\"lastro\", error=\"invalid_token\", error_description=\"The access token is invalid, expired or revoked.\""

/** The codes of the errors without details or headers of their own. */
const plainCodes = {
  MalformedRequest: "MALFORMED_REQUEST",
  MalformedBody: "MALFORMED_JSON",
  OutsideHierarchy: "OUTSIDE_HIERARCHY",
  PermissionDenied: "PERMISSION_DENIED",
  PasswordChangeRequired: "PASSWORD_CHANGE_REQUIRED",
  NotFound: "NOT_FOUND",
  EmailTaken: "EMAIL_TAKEN",
  DocumentTaken: "DOCUMENT_TAKEN",
  EventsExpired: "EVENTS_EXPIRED",
  NothingToPay: "NOTHING_TO_PAY",
  LastAdministrator: "LAST_ADMINISTRATOR",
  OwnPartner: "OWN_PARTNER",
  SelfDelete: "SELF_DELETE",
  NoLender: "NO_LENDER",
  QuoteInProgress: "QUOTE_IN_PROGRESS",
  ApplicationNotQuotable: "APPLICATION_NOT_QUOTABLE",
  EarlierSecretValid: "EARLIER_SECRET_VALID",
  TooManyWebhooks: "TOO_MANY_WEBHOOKS",
  PreconditionFailed: "PRECONDITION_FAILED",
  PayloadTooLarge: "PAYLOAD_TOO_LARGE",
  IdempotencyKeyReused: "IDEMPOTENCY_KEY_REUSED",
  InternalFailure: "INTERNAL_ERROR"
} as const satisfies Partial<Record<Refusal["_tag"], ApiErrorCode>>

type PlainRefusal = Extract<Refusal, { readonly _tag: keyof typeof plainCodes }>

const isPlain = (refusal: Refusal): refusal is PlainRefusal => Object.hasOwn(plainCodes, refusal._tag)

/** Returns the code, details and headers of an error. */
export const describeRefusal = (refusal: Refusal): DescribedRefusal => {
  if (isPlain(refusal)) return { code: plainCodes[refusal._tag] }
  switch (refusal._tag) {
    case "Unauthenticated":
      return { code: "UNAUTHENTICATED", headers: { "www-authenticate": bearerChallenge(refusal) } }
    case "CallbackRefused":
      return { code: "CALLBACK_REFUSED", headers: { "www-authenticate": "Signature realm=\"lastro\"" } }
    case "MethodNotAllowed":
      return { code: "METHOD_NOT_ALLOWED", headers: { allow: refusal.allow.join(", ") } }
    case "PartnerHasDependents":
      return { code: "PARTNER_HAS_DEPENDENTS", details: dependentsOf(refusal) }
    case "OfferNotAvailable":
      return { code: "OFFER_NOT_AVAILABLE", details: [{ field: "offer_id", code: refusal.reason }] }
    case "ApplicationNotCancellable":
      return refusal.reason === "ENDED"
        ? { code: "APPLICATION_NOT_CANCELLABLE" }
        : { code: "APPLICATION_NOT_CANCELLABLE", reason: refusal.reason }
    case "ProposalNotWithdrawable":
      return { code: "PROPOSAL_NOT_WITHDRAWABLE", reason: refusal.reason }
    case "SignatureNotPending":
      return refusal.reason === "NOT_PENDING"
        ? { code: "SIGNATURE_NOT_PENDING" }
        : { code: "SIGNATURE_NOT_PENDING", reason: refusal.reason }
    case "KycIncomplete":
      return { code: "KYC_INCOMPLETE", details: refusal.missing.map((field) => ({ field, code: "REQUIRED" })) }
    case "KycLocked":
      return refusal.locked.length === 0
        ? { code: "KYC_LOCKED" }
        : {
          code: "KYC_LOCKED",
          reason: "FIELDS_LOCKED",
          details: refusal.locked.map((field) => ({ field, code: "IMMUTABLE" }))
        }
    case "IdempotencyInFlight":
      return { code: "IDEMPOTENCY_IN_FLIGHT", headers: retryAfter(defaultRetrySeconds) }
    case "UnsupportedMediaType":
      return refusal.isCsv === true
        ? { code: "UNSUPPORTED_MEDIA_TYPE", reason: "SEND_CSV" }
        : { code: "UNSUPPORTED_MEDIA_TYPE" }
    case "ValidationFailed":
      return { code: "VALIDATION_FAILED", details: refusal.problems, unlisted: refusal.unlisted }
    case "RateLimited":
    case "TooManyAttempts":
      return { code: "RATE_LIMITED", headers: retryAfter(refusal.retry_after_seconds) }
    case "TooManyExports":
      return { code: "RATE_LIMITED", reason: "TOO_MANY_EXPORTS", headers: retryAfter(refusal.retry_after_seconds) }
    case "Busy":
      return { code: "SERVICE_UNAVAILABLE", headers: retryAfter(refusal.retry_after_seconds) }
    case "OutcomeUnknown":
      return { code: "OUTCOME_UNKNOWN", headers: retryAfter(defaultRetrySeconds) }
    case "ServiceUnavailable":
      return { code: "SERVICE_UNAVAILABLE", headers: retryAfter(defaultRetrySeconds) }
  }
}

const dependentsOf = (
  { applications, children, has_commissions, users }: Extract<Refusal, { readonly _tag: "PartnerHasDependents" }>
): ReadonlyArray<FieldProblem> => {
  const field = "partner_id"
  const problems: Array<FieldProblem> = []
  if (children > 0) problems.push({ field, code: "HAS_CHILDREN", params: { count: children } })
  if (users > 0) problems.push({ field, code: "HAS_USERS", params: { count: users } })
  if (applications > 0) problems.push({ field, code: "HAS_APPLICATIONS", params: { count: applications } })
  if (has_commissions) problems.push({ field, code: "HAS_COMMISSIONS" })
  return problems
}
