import { type FieldErrorCode, type Problem, type ProblemParams } from "@lastro/domain/input"
import { type ApiErrorCode } from "../api/ApiError.ts"
import { type MessageKey } from "./describeRefusal.ts"

/** The messages of all error codes and field error codes, in one language. */
export interface Messages {
  readonly errors: Readonly<Record<ApiErrorCode, string>>
  readonly reasons: Readonly<Record<MessageKey, string>>
  readonly fields: Readonly<Record<FieldErrorCode, (params: ProblemParams) => string>>
  /** Returns a sentence with the number of problems that the details omit. */
  readonly countUnlisted: (count: number) => string
}

/** The messages in English. */
export const messagesEn: Messages = {
  errors: {
    MALFORMED_REQUEST: "The request is not valid HTTP/1.1.",
    MALFORMED_JSON: "The request body is not valid JSON in UTF-8.",
    UNAUTHENTICATED: "The access token is missing or invalid. Send a valid bearer token in the Authorization header.",
    CALLBACK_REFUSED: "The signature or the secret of the callback is wrong, or the callback is too old.",
    OUTSIDE_HIERARCHY: "This record is outside your hierarchy.",
    PERMISSION_DENIED: "You do not have permission for this operation.",
    PASSWORD_CHANGE_REQUIRED: "Change your password before you continue.",
    NOT_FOUND: "The record or path does not exist.",
    METHOD_NOT_ALLOWED: "This path does not support this method. See the Allow header.",
    REQUEST_TIMEOUT: "The request did not arrive in time. Send it again.",
    EMAIL_TAKEN: "This e-mail address is already in use.",
    DOCUMENT_TAKEN: "A partner with this document already exists.",
    PARTNER_HAS_DEPENDENTS:
      "The partner still has child partners, users, unfinished applications or unpaid commissions. See the details.",
    NOTHING_TO_PAY: "The closed commissions of this partner do not add up to more than 0. Close a period first.",
    LAST_ADMINISTRATOR:
      "This user is the last active administrator of your partner. Make another user an administrator first.",
    OWN_PARTNER: "You cannot make this change to your own partner. A partner above it or the operator can.",
    SELF_DELETE: "You cannot delete yourself or your own partner.",
    NO_LENDER:
      "No lender receives new quotes of this partner now. Change the routing of the partner, or of a partner above it.",
    QUOTE_IN_PROGRESS: "A quote is already in progress. Wait for it to finish.",
    APPLICATION_NOT_QUOTABLE:
      "The current status of the application does not allow a new quote. If its rejection has a `retry_at`, wait until " +
      "that time.",
    APPLICATION_NOT_CANCELLABLE:
      "The current status of the application does not allow a cancellation. To end a paid contract, withdraw from " +
      "its proposal.",
    PROPOSAL_NOT_WITHDRAWABLE: "The current status of the proposal does not allow a withdrawal.",
    SIGNATURE_NOT_PENDING: "The contract does not await a signature. Read the proposal for its current status.",
    OFFER_NOT_AVAILABLE: "The offer is no longer available. See the details.",
    KYC_INCOMPLETE: "Required KYC fields are missing. See the details.",
    KYC_LOCKED: "The KYC data can no longer be changed.",
    EARLIER_SECRET_VALID:
      "An earlier secret of this API client is still valid, and this rotation would end it. Rotate when it has ended, or " +
      "send `overlap_hours` 0 to end every old secret at once.",
    TOO_MANY_WEBHOOKS: "This partner has 20 webhooks, the maximum. Delete one first.",
    IDEMPOTENCY_IN_FLIGHT: "Another request with this Idempotency-Key is still running. Retry when it has finished.",
    EVENTS_EXPIRED:
      "Events after this sequence have been deleted. Read without `after` to continue from the oldest event.",
    PRECONDITION_FAILED:
      "The record has changed since you last read it. Read it again and send If-Match with the new ETag.",
    PAYLOAD_TOO_LARGE: "The request body is too large or nested too deeply.",
    UNSUPPORTED_MEDIA_TYPE: "Send the body as application/json in UTF-8, without Content-Encoding.",
    EXPECTATION_FAILED: "The server does not support this Expect header. Send the request without it.",
    VALIDATION_FAILED: "The request is invalid. See the details.",
    IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was already used for a different request. Use a new key.",
    RATE_LIMITED: "Too many requests. Retry after the time in the Retry-After header.",
    HEADERS_TOO_LARGE: "The request headers are too large.",
    INTERNAL_ERROR: "An internal error occurred. If it persists, send the request id to support.",
    SERVICE_UNAVAILABLE: "The service is temporarily unavailable. Retry later.",
    OUTCOME_UNKNOWN:
      "The change may or may not have been made. Read the record, or repeat the request with the same Idempotency-Key."
  },
  reasons: {
    LENDER_CANNOT_CANCEL:
      "The lender already has the contract and cannot cancel it through this API. Ask the lender to cancel it; the " +
      "status is then updated.",
    LENDER_MAY_HAVE_CONTRACT:
      "The lender may have the contract: its answer to the submission is missing, and it cannot cancel through this " +
      "API. The submission is repeated until the lender answers, without a time limit. Try again later, or ask the " +
      "lender.",
    FIELDS_LOCKED: "Some of the submitted KYC fields can no longer be changed. See the details.",
    SEND_CSV: "Send the body as text/csv in UTF-8, without Content-Encoding.",
    TOO_MANY_EXPORTS: "Too many exports are running. Retry when one of them has ended.",
    NOT_PAID: "The status of the contract is not PAID. To end a contract before its payment, cancel the application.",
    TOO_LATE:
      "The customer could withdraw until the seventh day after the payment. Ask the lender how to repay the contract " +
      "early.",
    LENDER_CANNOT_REFUND:
      "The lender does not offer refunds through this API. Ask the lender to refund the contract; the status is then " +
      "updated.",
    LENDER_HAS_NO_LINKS:
      "The lender does not offer new signature links through this API. Use the present link, or ask the lender for a " +
      "new one."
  },
  fields: {
    REQUIRED: () => "This field is required.",
    NOT_NULLABLE: () => "This field cannot be null.",
    INVALID_TYPE: ({ expected }) =>
      expected === undefined ? "The value has the wrong type." : `The value must be of type ${expected}.`,
    INVALID_FORMAT: ({ decimals, expected }) => {
      if (expected !== undefined) return `The expected format is: ${expected}.`
      return decimals === undefined
        ? "The value has an invalid format."
        : `The value can have at most ${decimals} decimal places.`
    },
    INVALID_CHECK_DIGIT: () => "The check digits are incorrect.",
    TOO_SHORT: ({ min, min_items }) => {
      if (min_items !== undefined) return "The list must have at least one item."
      if (min === undefined) return "The value is too short."
      return min === 1 ? "The value must not be empty." : `The value must have at least ${min} characters.`
    },
    TOO_LONG: ({ max, max_items, max_keys }) => {
      if (max_items !== undefined) return `The list can have at most ${max_items} items.`
      if (max_keys !== undefined) return `The value can have at most ${max_keys} keys.`
      if (max === undefined) return "The value is too long."
      return `The value can have at most ${max} characters.`
    },
    OUT_OF_RANGE: ({ below, max, min, min_age, not, not_before }) => {
      if (min_age !== undefined) return `The customer must be at least ${min_age} years old.`
      if (min === undefined) {
        if (not !== undefined) return `The value must not be ${not}.`
        if (not_before !== undefined) return `The value must not be before ${not_before}.`
        if (below !== undefined) return `The value must be below ${below}.`
        return max === undefined ? "The value is out of range." : `The value must be at most ${max}.`
      }
      return max === undefined
        ? `The value must be at least ${min}.`
        : `The value must be between ${min} and ${max}.`
    },
    GUESSABLE: ({ reason }) => {
      if (reason === "COMMON") {
        return "This password is too common: it is often used, a sequence, or one word with digits. Choose several words " +
          "that do not belong together."
      }
      return reason === "REPEATED"
        ? "The password must not be one character or text that is repeated. Choose several words that do not belong " +
          "together."
        : "The password must not consist of the user's name or e-mail address, or contain the CPF. This includes " +
          "text that is reversed, or has digits in place of letters."
    },
    UNKNOWN_VALUE: ({ allowed }) =>
      allowed === undefined ? "The value is not recognized." : `The value must be one of: ${allowed}.`,
    UNKNOWN_FIELD: () => "This field does not exist.",
    DUPLICATE: () => "This entry appears twice. Send it once.",
    IMMUTABLE: () => "This field cannot be changed.",
    CYCLE: () => "A partner cannot be moved into its own subtree.",
    OUTSIDE_HIERARCHY: () => "This record is outside your hierarchy.",
    NOT_FOUND: () => "This record does not exist.",
    MISMATCH: ({ sign_of }) =>
      sign_of === undefined
        ? "The value does not match the one on record."
        : `The value must have the same sign as ${sign_of}.`,
    EXPIRED: () => "The offer has expired. Request a new quote.",
    SUPERSEDED: ({ reason }) =>
      reason === "UNCHANGED"
        ? "The new password must differ from the current one."
        : "A newer quote replaced this offer. Accept an offer of the latest quote.",
    DECLINED: () => "Another offer was accepted, or the application was cancelled.",
    EXISTING_CONTRACT: () =>
      "Another contract of this customer pledges the next annual withdrawal, or one of the withdrawals of this offer.",
    POLICY_CHANGED: () =>
      "The rules of today do not allow this offer. Request a new quote. If its offers are refused, too, ask a partner " +
      "above yours.",
    LENDER_STOPPED: () =>
      "The lender of this offer accepts no contracts now. Choose another offer, or request a new quote.",
    NOT_ALLOWED: () => "This lender is not allowed here. Send a code of the effective routing.",
    HTTPS_REQUIRED: () => "The address must begin with https://.",
    ADDRESS_FORBIDDEN: () => "Events cannot be sent to this address. Choose a public one.",
    HAS_CHILDREN: ({ count }) =>
      count === 1
        ? "1 child partner still belongs to this partner."
        : `${count} child partners still belong to this partner.`,
    HAS_USERS: ({ count }) =>
      count === 1 ? "1 user still belongs to this partner." : `${count} users still belong to this partner.`,
    HAS_APPLICATIONS: ({ count }) =>
      count === 1
        ? "1 unfinished application still belongs to this partner."
        : `${count} unfinished applications still belong to this partner.`,
    HAS_COMMISSIONS: () => "This partner has unpaid commissions, or earns one from a contract in progress."
  },
  countUnlisted: (count) => count === 1 ? "1 more problem is not listed." : `${count} more problems are not listed.`
}

/** Returns the English sentence of the API for the problem of a field. */
export const describeProblem = ({ code, params = {} }: Problem): string => messagesEn.fields[code](params)
