import { Schema } from "effect"

/**
 * The code of a problem with one field. Codes are stable, so that programs can branch on them. Messages are for people
 * and can change.
 */
export const FieldErrorCode = Schema.Literals([
  "REQUIRED",
  "NOT_NULLABLE",
  "INVALID_TYPE",
  "INVALID_FORMAT",
  "INVALID_CHECK_DIGIT",
  "TOO_SHORT",
  "TOO_LONG",
  "OUT_OF_RANGE",
  "GUESSABLE",
  "UNKNOWN_VALUE",
  "UNKNOWN_FIELD",
  "DUPLICATE",
  "IMMUTABLE",
  "CYCLE",
  "OUTSIDE_HIERARCHY",
  "NOT_FOUND",
  "MISMATCH",
  "EXPIRED",
  "SUPERSEDED",
  "DECLINED",
  "EXISTING_CONTRACT",
  "POLICY_CHANGED",
  "LENDER_STOPPED",
  "NOT_ALLOWED",
  "HTTPS_REQUIRED",
  "ADDRESS_FORBIDDEN",
  "HAS_CHILDREN",
  "HAS_USERS",
  "HAS_APPLICATIONS",
  "HAS_COMMISSIONS"
]).annotate({
  identifier: "FieldErrorCode",
  description: "Code of a problem with a field. Codes are stable, so that programs can branch on them."
})
export type FieldErrorCode = typeof FieldErrorCode.Type
