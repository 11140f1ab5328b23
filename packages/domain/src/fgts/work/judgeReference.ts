import { Result } from "effect"
import { type LenderContract } from "../lender/LenderContract.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { isStorable } from "./isStorable.ts"

const maxReferenceLength = 256

/**
 * A contract counts as no answer if its `reference` is empty, is longer than 256 characters, contains a NUL character or is not well-formed
 * Unicode. The call is repeated, so that a fault of the adapter is logged with its reason.
 * @rule LENDER-19
 */
export const judgeReference = <A extends LenderContract | null>(contract: A): Result.Result<A, LenderUnavailable> =>
  contract === null || contract.reference !== "" && isStorable(contract.reference, maxReferenceLength)
    ? Result.succeed(contract)
    : Result.fail(new LenderUnavailable({ reason: "ASKED", detail: "the reference of the contract cannot be stored" }))
