import { isFinal, type ProposalStatus } from "./Proposal.ts"

const way: ReadonlyArray<ProposalStatus> = [
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "PAID"
]

/**
 * A proposal goes SUBMITTING, AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, PAID, one after the other; paying may
 * fail (DISBURSEMENT_FAILED) and be tried again (DISBURSING); from anywhere before PAID it may be CANCELLED or
 * REJECTED. There is no way back, nor out of a final status.
 *
 * Answers every status on the way from one to another, without the first; none where there is no way.
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
