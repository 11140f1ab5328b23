import { administration } from "./administration.ts"
import { origination } from "./origination.ts"

/**
 * Every operation that a caller may request names the one permission it requires, and its use case takes the proof of it.
 * @rule AUTH-12
 */
export const operations = { ...administration, ...origination }

/** The names of the operations. */
export type OperationName = keyof typeof operations
