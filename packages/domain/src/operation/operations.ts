import { administration } from "./administration.ts"
import { commissions } from "./commissions.ts"
import { origination } from "./origination.ts"
import { webhooks } from "./webhooks.ts"

/**
 * Each operation names the permission that it requires. Its use case takes a proof that the caller was authorized.
 * @rule AUTH-12
 */
export const operations = { ...administration, ...origination, ...webhooks, ...commissions }

/** The names of the operations. */
export type OperationName = keyof typeof operations
