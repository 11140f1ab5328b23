import { Predicate } from "effect"

/**
 * Returns whether a statement failed because the role lacks a privilege. Accepts an `SqlError`, or another error with the
 * `reason` of an `SqlError`, such as the defect with which a repository fails.
 */
export const isPrivilegeMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "reason") &&
  (error.reason === "AuthorizationError" || Predicate.isTagged(error.reason, "AuthorizationError"))
