import { millisOf, type Timestamp, timestampOf } from "../../time/Timestamp.ts"
import { type Proposal } from "../contract/Proposal.ts"

const shortestPauseMs = 100
const longestPauseMs = 15 * 60_000

/**
 * A contract that is with the lender is looked at again after a tenth of the time since it last moved, at least a tenth of a second
 * and at most a quarter of an hour: soon while things happen, rarely while a signature or another account is waited for. One that
 * was not submitted yet or is final is not looked at.
 * @rule LENDER-03
 */
export const nextLook = (proposal: Proposal, at: Timestamp): Timestamp | null => {
  switch (proposal.status) {
    case "AWAITING_SIGNATURE":
    case "GUARANTEE_PENDING":
    case "DISBURSING":
    case "DISBURSEMENT_FAILED": {
      // Not since it last changed: a lender that names another place of signing at every look would be looked at without pause.
      const since = millisOf(at) - millisOf(proposal.status_history.at(-1)?.at ?? proposal.created_at)
      return timestampOf(millisOf(at) + Math.min(Math.max(since / 10, shortestPauseMs), longestPauseMs))
    }
    default:
      return null
  }
}
