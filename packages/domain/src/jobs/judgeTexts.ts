import { Result } from "effect"
import { type LenderPending } from "../lender/Lender.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { type LenderContract } from "../loan/LenderContract.ts"

/**
 * Returns whether an adapter's value is a text that the database can store and compare, with at most `maxLength`
 * characters.
 */
const isStorable = (text: unknown, maxLength: number): boolean =>
  typeof text === "string" && text.length <= maxLength && !text.includes("\0") && text.isWellFormed()

/** Returns whether a `lender_state` can be stored. */
export const isStorableState = (lender_state: string): boolean => isStorable(lender_state, 8_192)

/** Returns whether a `callback_key` can be stored. */
export const isStorableKey = (callback_key: string): boolean => isStorable(callback_key, 128)

/** Returns whether the reference of a contract can be stored. */
export const isStorableReference = (reference: string): boolean => isStorable(reference, 256)

/**
 * A PENDING answer counts as no answer if its `lender_state` is longer than 8 192 characters, or its `callback_key`
 * longer than 128. The same applies if one of them contains NUL or malformed Unicode. A `lender_state` in a callback is
 * ignored for the same reasons.
 * @rule LENDER-13
 */
export const judgePending = (answer: LenderPending): Result.Result<LenderPending, LenderUnavailable> =>
  isStorableState(answer.lender_state) && isStorableKey(answer.callback_key ?? "")
    ? Result.succeed(answer)
    : Result.fail(new LenderUnavailable({ reason: "ASKED", detail: "the PENDING answer cannot be stored" }))

/**
 * A contract counts as no answer if its `reference` is empty, longer than 256 characters, or contains NUL or malformed
 * Unicode. As after any missing answer, the reason is logged and the call is repeated.
 * @rule LENDER-19
 */
export const judgeLenderReference = <A extends LenderContract | null>(
  contract: A
): Result.Result<A, LenderUnavailable> =>
  contract === null || contract.reference !== "" && isStorableReference(contract.reference)
    ? Result.succeed(contract)
    : Result.fail(new LenderUnavailable({ reason: "ASKED", detail: "the reference of the contract cannot be stored" }))
