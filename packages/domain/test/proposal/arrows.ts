import { type ProposalStatus } from "../../src/fgts/contract/Proposal.ts"

/** Allowed status transitions of a proposal, copied by hand from the contract. */
export const proposalTransitions: Readonly<Record<ProposalStatus, ReadonlyArray<ProposalStatus>>> = {
  SUBMITTING: ["CORRECTION_NEEDED", "AWAITING_SIGNATURE", "CANCELLING", "CANCELLED", "REJECTED"],
  CORRECTION_NEEDED: ["SUBMITTING", "CANCELLED"],
  AWAITING_SIGNATURE: ["GUARANTEE_PENDING", "CANCELLING", "CANCELLED", "REJECTED"],
  GUARANTEE_PENDING: ["DISBURSING", "CANCELLING", "CANCELLED", "REJECTED"],
  DISBURSING: ["PAID", "DISBURSEMENT_FAILED", "CANCELLING", "CANCELLED", "REJECTED"],
  DISBURSEMENT_FAILED: ["DISBURSING", "CANCELLING", "CANCELLED", "REJECTED"],
  PAID: ["REFUND_PENDING", "REFUNDED"],
  CANCELLING: ["PAID", "CANCELLED", "REJECTED"],
  CANCELLED: [],
  REJECTED: [],
  REFUND_PENDING: ["PAID", "REFUNDED"],
  REFUNDED: []
}
