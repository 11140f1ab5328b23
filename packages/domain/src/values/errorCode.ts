import { Predicate } from "effect"

/** Returns the code of an error of Node.js, such as `ECONNREFUSED`, or undefined if it has none. */
export const errorCode = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : undefined
