import { Result } from "effect"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { type LenderContract } from "../loan/LenderContract.ts"
import { isStorable } from "./isStorable.ts"

const maxReferenceLength = 256

/**
 * A contract counts as no answer if its `reference` is empty, is longer than 256 characters, contains a NUL character
 * or is not well-formed Unicode. As after any call without an answer, the call is repeated and the reason is logged.
 * @rule LENDER-19
 */
export const judgeReference = <A extends LenderContract | null>(contract: A): Result.Result<A, LenderUnavailable> =>
  contract === null || contract.reference !== "" && isStorable(contract.reference, maxReferenceLength)
    ? Result.succeed(contract)
    : Result.fail(new LenderUnavailable({ reason: "ASKED", detail: "the reference of the contract cannot be stored" }))
