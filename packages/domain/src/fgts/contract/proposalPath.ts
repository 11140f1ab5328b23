import { isFinal, type ProposalStatus } from "./Proposal.ts"

const way: ReadonlyArray<ProposalStatus> = [
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "PAID"
]

/**
 * A proposal moves through SUBMITTING, AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING and PAID in this order. DISBURSING may fail
 * (DISBURSEMENT_FAILED) and be retried. Any status before PAID may change to CANCELLED or REJECTED. No status moves back, and final
 * statuses do not change.
 *
 * Returns the statuses on the path from one to another, without the first; empty if there is no path.
 * @rule PROP-03
 */
export const proposalPath = (from: ProposalStatus, to: ProposalStatus): ReadonlyArray<ProposalStatus> => {
  if (isFinal({ status: from }) || from === to) return []
  if (to === "CANCELLED" || to === "REJECTED") return [to]
  if (to === "DISBURSEMENT_FAILED") return [...ahead(from, "DISBURSING"), to]
  if (from === "DISBURSEMENT_FAILED") return to === "DISBURSING" ? [to] : to === "PAID" ? ["DISBURSING", to] : []
  return ahead(from, to)
}

const ahead = (from: ProposalStatus, to: ProposalStatus): ReadonlyArray<ProposalStatus> =>
  way.slice(way.indexOf(from) + 1, way.indexOf(to) + 1)
