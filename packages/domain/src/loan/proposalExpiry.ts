import { fgtsPolicies } from "../offer/FgtsPolicy.ts"
import { pledgeableUntil } from "../offer/nextWithdrawals.ts"
import { type Offer } from "../offer/Offer.ts"
import { isWithinPolicy } from "../offer/whyNotContractable.ts"
import { saoPauloMidnight } from "../values/CalendarDate.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { acceptedOffer, type Application } from "./Application.ts"
import { type Proposal, statusSince } from "./Proposal.ts"

/**
 * Time for the correction of refused data, and for the resolution of a conflict with another proposal's contract
 * (FGTS-27). In milliseconds: 7 days.
 */
export const correctionTimeMs = 7 * 24 * 3_600_000

/**
 * Returns the time since which refused data must be corrected, or the contract of another proposal must be cleared up
 * with the lender. Null if neither is the case.
 */
const waitsSince = (proposal: Proposal): Timestamp | null => {
  switch (proposal.status) {
    case "CORRECTION_NEEDED":
      return statusSince(proposal)
    case "SUBMITTING":
      // No visible event leaves the conflict open, so `updated_at` is the time at which the conflict began.
      return proposal.conflicting_reference === null ? null : proposal.updated_at
    default:
      return null
  }
}

type Expirable = Pick<Application, "customer" | "proposal" | "quotes">

/**
 * Lists the times from which an offer can no longer be contracted: the due date of its first instalment, and the start
 * of each later policy that does not allow the offer. The rate is judged only when the submission starts, because the
 * operator can change the rate limit until then.
 */
const endsOf = (
  offer: Offer,
  { birth_date }: Application["customer"],
  since: Timestamp
): ReadonlyArray<Timestamp> => [
  ...pledgeableUntil(offer.terms.installments),
  ...fgtsPolicies.map(({ from }) => saoPauloMidnight(from)).filter((at) => {
    const { monthly_rate: max_monthly_rate } = offer.terms
    const facts = { at, birth_date, max_monthly_rate, max_monthly_rate_above_policy: true }
    return at > since && !isWithinPolicy(offer, facts)
  })
]

/**
 * A proposal expires after seven days if its data was refused (CORRECTION_NEEDED), or if the lender returned the
 * contract of another proposal (FGTS-27). Otherwise, it could pledge the customer's annual withdrawals forever. Each
 * further refusal starts seven new days.
 *
 * It expires earlier if its offer can no longer be contracted, at a midnight in America/Sao_Paulo: when the first
 * instalment can no longer be pledged, or when a policy begins that does not allow the offer.
 *
 * Returns null for any other proposal.
 * @rule FGTS-54
 */
export const proposalExpiresAt = (application: Expirable): Timestamp | null => {
  const since = application.proposal === null ? null : waitsSince(application.proposal)
  if (since === null) return null
  const offer = acceptedOffer(application)
  return (offer === undefined ? [] : endsOf(offer, application.customer, since))
    .reduce((earliest, end) => end < earliest ? end : earliest, addMillis(since, correctionTimeMs))
}

/** Returns whether a proposal has expired at a time. From then on, its data can no longer be corrected. */
export const isProposalExpired = (application: Expirable, at: Timestamp): boolean => {
  const end = proposalExpiresAt(application)
  return end !== null && end <= at
}
