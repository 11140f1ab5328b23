import { type ProposalStatus } from "../../src/fgts/contract/Proposal.ts"

/** Allowed status transitions of a proposal, copied by hand from the contract. */
export const proposalTransitions: Readonly<Record<ProposalStatus, ReadonlyArray<ProposalStatus>>> = {
  SUBMITTING: ["AWAITING_SIGNATURE", "CANCELLED", "REJECTED"],
  AWAITING_SIGNATURE: ["GUARANTEE_PENDING", "CANCELLED", "REJECTED"],
  GUARANTEE_PENDING: ["DISBURSING", "CANCELLED", "REJECTED"],
  DISBURSING: ["PAID", "DISBURSEMENT_FAILED", "CANCELLED", "REJECTED"],
  DISBURSEMENT_FAILED: ["DISBURSING", "CANCELLED", "REJECTED"],
  PAID: [],
  CANCELLED: [],
  REJECTED: []
}
