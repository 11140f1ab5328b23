import { type Offer } from "../offer/Offer.ts"
import { fgtsPolicies } from "../offer/Policy.ts"
import { type OwnRejection, rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { saoPauloMidnight } from "../values/CalendarDate.ts"
import { millisOf, type Timestamp, timestampOf } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { acceptedOffer, isWithinPolicy } from "./isContractable.ts"
import { type Proposal } from "./Proposal.ts"

/**
 * Time in which refused data can be corrected, or in which a conflict with another proposal's contract (FGTS-27) can be
 * resolved. In milliseconds: 7 days.
 */
export const correctionTimeMs = 7 * 24 * 3_600_000

/** Returns whether the lender returned the contract of another proposal for this one (FGTS-27). */
const isInConflict = ({ conflicting_reference = null, status }: Proposal): boolean =>
  status === "SUBMITTING" && conflicting_reference !== null

/** Returns the time since which only a person can continue a proposal. Null if the lender or a job continues it. */
const waitsSince = (proposal: Proposal): Timestamp | null =>
  proposal.status === "CORRECTION_NEEDED"
    ? proposal.status_history.at(-1)?.at ?? proposal.updated_at
    // After the lender has returned the contract of another proposal, the only possible events are a cancellation and the expiry.
    // `updated_at` is therefore the time at which the lender returned it.
    : isInConflict(proposal)
    ? proposal.updated_at
    : null

/**
 * Lists the times from which an offer can no longer be contracted: the due date of its first instalment, and the start
 * of each policy after `since` that does not allow the offer.
 */
const endsOf = (offer: Offer, since: Timestamp): ReadonlyArray<Timestamp> => [
  ...offer.terms.installments.slice(0, 1).map(({ due_date }) => saoPauloMidnight(due_date)),
  ...fgtsPolicies.map(({ from }) => saoPauloMidnight(from)).filter((begins) =>
    begins > since && !isWithinPolicy(offer, begins)
  )
]

/**
 * A proposal that only a person can continue expires, so that it does not pledge the customer's annual withdrawals
 * forever: the lender refused its data (CORRECTION_NEEDED), or returned the contract of another proposal (FGTS-27). It
 * expires seven days after that. It expires earlier, at the midnight in America/Sao_Paulo from which its offer can no
 * longer be contracted: when the first instalment falls due, or when a policy that does not allow the offer begins.
 * Each further refusal starts seven new days.
 *
 * Returns null for any other proposal.
 * @rule FGTS-54
 */
export const proposalExpiresAt = (application: Pick<Application, "proposal" | "quotes">): Timestamp | null => {
  const since = application.proposal === null ? null : waitsSince(application.proposal)
  if (since === null) return null
  const offer = acceptedOffer(application)
  return (offer === undefined ? [] : endsOf(offer, since))
    .reduce((earliest, end) => end < earliest ? end : earliest, timestampOf(millisOf(since) + correctionTimeMs))
}

/** Returns whether a proposal has expired at a time. From then on, its data can no longer be corrected. */
export const isProposalExpired = (application: Pick<Application, "proposal" | "quotes">, at: Timestamp): boolean => {
  const end = proposalExpiresAt(application)
  return end !== null && end <= at
}

/** Returns the event that cancels a proposal of which the lender provably has no contract. */
export const cancelledByLastro = (at: Timestamp, rejection: OwnRejection): ReadonlyArray<ApplicationEvent> => [{
  _tag: "ProposalMoved",
  at,
  status: "CANCELLED",
  reference: null,
  signature_url: null,
  rejection: rejectionByLastro(rejection)
}]

/** The command to end a proposal that has expired. */
export interface ExpireProposal {
  readonly _tag: "ExpireProposal"
  readonly at: Timestamp
}

/**
 * An expired proposal is CANCELLED. Its rejection is CORRECTION_EXPIRED, or CONTRACT_CONFLICT if the lender returned
 * the contract of another proposal. A proposal that has not expired, because it was corrected meanwhile, stays as it
 * is.
 * @rule PROP-15
 */
export const decideExpire = (application: Application, { at }: ExpireProposal): ReadonlyArray<ApplicationEvent> =>
  isProposalExpired(application, at)
    ? cancelledByLastro(
      at,
      application.proposal?.status === "CORRECTION_NEEDED" ? "CORRECTION_EXPIRED" : "CONFLICT_EXPIRED"
    )
    : []
