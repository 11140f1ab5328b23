import { type FieldProblem, type Unauthenticated } from "@lastro/domain"
import { type ApiErrorCode } from "../api/ApiError.ts"
import { type Refusal } from "./Refusal.ts"

/** What a refusal looks like on the wire, before it is put in words. */
export interface Described {
  readonly status: number
  readonly code: ApiErrorCode
  readonly details?: ReadonlyArray<FieldProblem>
  readonly headers?: Readonly<Record<string, string>>
}

/** Seconds after which it makes sense to try again when nothing better is known. */
const retrySoon = 1

const retryAfter = (seconds: number) => ({ "retry-after": String(Math.max(1, seconds)) })

/** RFC 6750 §3: a request without a token is told the scheme only, one with a bad token why it was refused. */
const bearerChallenge = ({ reason }: Unauthenticated): string =>
  reason === "missing"
    ? "Bearer realm=\"lastro\""
    : "Bearer realm=\"lastro\", error=\"invalid_token\", error_description=\"The access token is not valid any more.\""

/** The status, code, details and headers of every refusal: the one place where they are decided. */
export const describeRefusal = (refusal: Refusal): Described => {
  switch (refusal._tag) {
    case "MalformedBody":
      return { status: 400, code: "MALFORMED_JSON" }
    case "Unauthenticated":
      return { status: 401, code: "UNAUTHENTICATED", headers: { "www-authenticate": bearerChallenge(refusal) } }
    case "OutsideHierarchy":
      return { status: 403, code: "OUTSIDE_HIERARCHY" }
    case "PermissionDenied":
      return { status: 403, code: "PERMISSION_DENIED" }
    case "PasswordChangeRequired":
      return { status: 403, code: "PASSWORD_CHANGE_REQUIRED" }
    case "NotFound":
      return { status: 404, code: "NOT_FOUND" }
    case "MethodNotAllowed":
      return { status: 405, code: "METHOD_NOT_ALLOWED", headers: { allow: refusal.allow.join(", ") } }
    case "EmailTaken":
      return { status: 409, code: "EMAIL_TAKEN" }
    case "DocumentTaken":
      return { status: 409, code: "DOCUMENT_TAKEN" }
    case "PartnerHasDependents":
      return { status: 409, code: "PARTNER_HAS_DEPENDENTS", details: dependents(refusal) }
    case "SelfDelete":
      return { status: 409, code: "SELF_DELETE" }
    case "IdempotencyInFlight":
      return { status: 409, code: "IDEMPOTENCY_IN_FLIGHT", headers: retryAfter(retrySoon) }
    case "PreconditionFailed":
      return { status: 412, code: "PRECONDITION_FAILED" }
    case "PayloadTooLarge":
      return { status: 413, code: "PAYLOAD_TOO_LARGE" }
    case "UnsupportedMediaType":
      return { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" }
    case "ValidationFailed":
      return { status: 422, code: "VALIDATION_FAILED", details: refusal.problems }
    case "IdempotencyKeyReused":
      return { status: 422, code: "IDEMPOTENCY_KEY_REUSED" }
    case "RateLimited":
    case "TooManyAttempts":
      return { status: 429, code: "RATE_LIMITED", headers: retryAfter(refusal.retry_after_seconds) }
    case "InternalFailure":
      return { status: 500, code: "INTERNAL_ERROR" }
    case "Busy":
      return { status: 503, code: "SERVICE_UNAVAILABLE", headers: retryAfter(refusal.retry_after_seconds) }
    case "ServiceUnavailable":
      return { status: 503, code: "SERVICE_UNAVAILABLE", headers: retryAfter(retrySoon) }
  }
}

const dependents = (
  { applications, children, users }: Extract<Refusal, { readonly _tag: "PartnerHasDependents" }>
): ReadonlyArray<FieldProblem> =>
  ([["HAS_CHILDREN", children], ["HAS_USERS", users], ["HAS_APPLICATIONS", applications]] as const).flatMap((
    [code, count]
  ) => count > 0 ? [{ field: "partner_id", code, params: { count } }] : [])
