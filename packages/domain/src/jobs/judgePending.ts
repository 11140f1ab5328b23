import { Result } from "effect"
import { type LenderPending } from "../lender/Lender.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { isStorable } from "./isStorable.ts"

const maxStateLength = 8_192
const maxKeyLength = 128

/** Returns whether a `lender_state` can be stored. */
export const isStorableState = (lender_state: string): boolean => isStorable(lender_state, maxStateLength)

/**
 * A PENDING answer counts as no answer if its `lender_state` is longer than 8 192 characters, or if its `callback_key`
 * is longer than 128 characters. The same applies if one of them contains a NUL character or is not well-formed
 * Unicode. A callback with such a `lender_state` counts as a callback without one.
 * @rule LENDER-13
 */
export const judgePending = (answer: LenderPending): Result.Result<LenderPending, LenderUnavailable> =>
  isStorableState(answer.lender_state) && isStorable(answer.callback_key ?? "", maxKeyLength)
    ? Result.succeed(answer)
    : Result.fail(new LenderUnavailable({ reason: "ASKED", detail: "the PENDING answer cannot be stored" }))
