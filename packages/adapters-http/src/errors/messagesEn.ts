import { type Messages } from "./Messages.ts"

/** The messages in English. */
export const messagesEn: Messages = {
  errors: {
    MALFORMED_REQUEST: "The request is not well-formed HTTP/1.1.",
    MALFORMED_JSON: "The body is not well-formed JSON in UTF-8.",
    UNAUTHENTICATED: "A valid access token is needed.",
    OUTSIDE_HIERARCHY: "The record lies outside your hierarchy.",
    PERMISSION_DENIED: "Your group does not allow this.",
    PASSWORD_CHANGE_REQUIRED: "Choose a password of your own first.",
    NOT_FOUND: "There is no such record or path.",
    METHOD_NOT_ALLOWED: "This path has no such method.",
    REQUEST_TIMEOUT: "The request did not arrive in time.",
    EMAIL_TAKEN: "This e-mail is in use already.",
    DOCUMENT_TAKEN: "A partner with this document exists already.",
    PARTNER_HAS_DEPENDENTS: "The partner still has children, users or unfinished applications.",
    SELF_DELETE: "Nobody can delete itself or its own partner.",
    QUOTE_IN_PROGRESS: "A quote is in progress.",
    APPLICATION_NOT_QUOTABLE: "The application cannot be quoted in its present state.",
    OFFER_NOT_AVAILABLE: "The offer is not available any more.",
    KYC_INCOMPLETE: "Data about the customer is missing.",
    KYC_LOCKED: "The data about the customer cannot change any more.",
    IDEMPOTENCY_IN_FLIGHT: "The first request with this Idempotency-Key is still running.",
    PRECONDITION_FAILED: "The record has changed since you read it.",
    PAYLOAD_TOO_LARGE: "The body is too large or nests too deeply.",
    UNSUPPORTED_MEDIA_TYPE: "The body has to be application/json in UTF-8, without a content encoding.",
    EXPECTATION_FAILED: "This expectation cannot be met.",
    VALIDATION_FAILED: "The request breaks at least one rule; see the details.",
    IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was used for another request.",
    RATE_LIMITED: "Too many requests; try again later.",
    HEADERS_TOO_LARGE: "The headers are too large.",
    INTERNAL_ERROR: "Something went wrong on our side.",
    SERVICE_UNAVAILABLE: "The service is not available just now; try again later."
  },
  fields: {
    REQUIRED: () => "This field is required.",
    NOT_NULLABLE: () => "This field cannot be null.",
    INVALID_TYPE: ({ expected }) =>
      expected === undefined ? "The value has the wrong type." : `The value has to be of type ${expected}.`,
    INVALID_FORMAT: ({ decimals }) =>
      decimals === undefined
        ? "The value is not in the expected format."
        : `The value may have at most ${decimals} decimals.`,
    INVALID_CHECK_DIGIT: () => "The check digits do not match.",
    TOO_SHORT: ({ min }) =>
      min === undefined ? "The value is too short." : `The value needs at least ${min} characters.`,
    TOO_LONG: ({ max }) =>
      max === undefined ? "The value is too long." : `The value may have at most ${max} characters.`,
    OUT_OF_RANGE: ({ max, min }) =>
      min === undefined
        ? max === undefined ? "The value is out of range." : `The value may be ${max} at most.`
        : max === undefined
        ? `The value has to be ${min} at least.`
        : `The value has to be from ${min} to ${max}.`,
    UNKNOWN_VALUE: ({ allowed }) =>
      allowed === undefined ? "The value is not known." : `The value has to be one of: ${allowed}.`,
    UNKNOWN_FIELD: () => "There is no such field.",
    IMMUTABLE: () => "This field cannot be changed.",
    CYCLE: () => "A partner cannot be placed below itself.",
    OUTSIDE_HIERARCHY: () => "The record lies outside your hierarchy.",
    NOT_FOUND: () => "There is no such record.",
    MISMATCH: () => "The value does not match.",
    EXPIRED: () => "It has expired.",
    SUPERSEDED: () => "A newer one has to take its place.",
    DECLINED: () => "Another one was accepted.",
    HAS_CHILDREN: ({ count }) => `Partners below it: ${count}.`,
    HAS_USERS: ({ count }) => `Users of it: ${count}.`,
    HAS_APPLICATIONS: ({ count }) => `Unfinished applications of it: ${count}.`
  }
}
