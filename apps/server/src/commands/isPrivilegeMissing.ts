import { Predicate } from "effect"

/**
 * Returns whether a statement failed because the role lacks a privilege. The error is an `SqlError`, or the defect that
 * replaces it.
 */
export const isPrivilegeMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "reason") &&
  (error.reason === "AuthorizationError" || Predicate.isTagged(error.reason, "AuthorizationError"))
