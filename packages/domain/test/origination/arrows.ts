import { type ProposalStatus } from "../../src/loan/Proposal.ts"

/** The transitions that a status at the lender causes, copied by hand from the contract. */
export const lenderTransitions: Readonly<Record<ProposalStatus, ReadonlyArray<ProposalStatus>>> = {
  SUBMITTING: ["AWAITING_SIGNATURE", "CANCELLED", "REJECTED"],
  CORRECTION_NEEDED: ["AWAITING_SIGNATURE", "CANCELLED", "REJECTED"],
  AWAITING_SIGNATURE: ["GUARANTEE_PENDING", "CANCELLED", "REJECTED"],
  GUARANTEE_PENDING: ["DISBURSING", "CANCELLED", "REJECTED"],
  DISBURSING: ["PAID", "DISBURSEMENT_FAILED", "CANCELLED", "REJECTED"],
  DISBURSEMENT_FAILED: ["DISBURSING", "CANCELLED", "REJECTED"],
  PAID: ["REFUND_PENDING", "REFUNDED", "SETTLED"],
  CANCELLING: ["PAID", "CANCELLED", "REJECTED"],
  CANCELLED: [],
  REJECTED: [],
  REFUND_PENDING: ["PAID", "REFUNDED"],
  REFUNDED: [],
  SETTLED: []
}

/** The transitions that requests of the caller and the lender's answers to them cause. */
const exitTransitions: Partial<Readonly<Record<ProposalStatus, ReadonlyArray<ProposalStatus>>>> = {
  SUBMITTING: ["CORRECTION_NEEDED", "CANCELLING"],
  CORRECTION_NEEDED: ["SUBMITTING"],
  AWAITING_SIGNATURE: ["CANCELLING"],
  GUARANTEE_PENDING: ["CANCELLING"],
  DISBURSING: ["CANCELLING"],
  DISBURSEMENT_FAILED: ["CANCELLING"],
  // The lender offers no cancellation: the proposal returns to its status.
  CANCELLING: ["SUBMITTING", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "DISBURSEMENT_FAILED"]
}

/** All allowed status transitions of a proposal. */
export const proposalTransitions = (from: ProposalStatus): ReadonlyArray<ProposalStatus> => [
  ...lenderTransitions[from],
  ...(exitTransitions[from] ?? [])
]
