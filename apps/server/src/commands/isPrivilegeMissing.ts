import { Predicate } from "effect"

/**
 * Returns whether a statement failed because the role lacks a privilege. Accepts an `SqlError`, or a defect of a
 * repository that has the reason of one.
 */
export const isPrivilegeMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "reason") &&
  (error.reason === "AuthorizationError" || Predicate.isTagged(error.reason, "AuthorizationError"))
