import { type ProposalId } from "../values/ids.ts"
import { cancelledAtLender } from "./decideCancel.ts"
import { type LenderContract } from "./LenderContract.ts"
import { type RecordContract } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { type Proposal, referenceOf } from "./Proposal.ts"

/**
 * A contract that the lender returns for a proposal is not recorded if another proposal already has its reference. This
 * is a fault of the lender: two proposals cannot be the same loan. The proposal keeps its status, is not submitted
 * again, and can be cancelled.
 *
 * `holder` is the proposal that has the reference. Null if no proposal has it.
 * @rule FGTS-27
 */
export const isReferenceTaken = (
  proposal: Proposal,
  { reference }: Pick<LenderContract, "reference">,
  holder: ProposalId | null
): boolean => holder !== null && holder !== proposal.proposal_id && referenceOf(proposal) !== reference

/**
 * If the lender returned the contract of another proposal, the reference is stored, so that this proposal is not
 * submitted again. A requested cancellation is completed, because the proposal has no contract of its own.
 * @rule PROP-14
 */
export const eventsOfConflict = (
  proposal: Proposal,
  { reference }: Pick<LenderContract, "reference">,
  at: RecordContract["at"]
): ReadonlyArray<LoanEvent> => {
  if (referenceOf(proposal) !== null) return []
  switch (proposal.status) {
    case "CANCELLING":
      return cancelledAtLender(proposal, at)
    case "SUBMITTING":
      return proposal.conflicting_reference === null ? [{ _tag: "ReferenceConflicted", at, reference }] : []
    default:
      return []
  }
}
