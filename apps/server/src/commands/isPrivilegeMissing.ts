import { Predicate } from "effect"

/** Returns whether a statement failed with an `SqlError`, or with the defect that replaces it, because the role lacks a privilege. */
export const isPrivilegeMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "reason") &&
  (error.reason === "AuthorizationError" || Predicate.isTagged(error.reason, "AuthorizationError"))
