import { millisOf, type Timestamp, timestampOf } from "../../time/Timestamp.ts"
import { type Proposal } from "../contract/Proposal.ts"

const shortestPauseMs = 100
const longestPauseMs = 15 * 60_000

/**
 * A submitted contract is polled again after a tenth of the time since its last change of status, at least 100 ms and at most 15 minutes.
 * A contract that is not yet submitted, or final, is not polled.
 * @rule LENDER-03
 */
export const nextLook = (proposal: Proposal, at: Timestamp): Timestamp | null => {
  switch (proposal.status) {
    case "AWAITING_SIGNATURE":
    case "GUARANTEE_PENDING":
    case "DISBURSING":
    case "DISBURSEMENT_FAILED": {
      // Not since its last change of any field: a lender that returns a new signature link each time would be polled without pause.
      const since = millisOf(at) - millisOf(proposal.status_history.at(-1)?.at ?? proposal.created_at)
      return timestampOf(millisOf(at) + Math.min(Math.max(since / 10, shortestPauseMs), longestPauseMs))
    }
    default:
      return null
  }
}
