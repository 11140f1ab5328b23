import { type OwnRejection, rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ExpireProposal } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { isProposalExpired } from "./proposalExpiry.ts"

/** Returns the event that ends a proposal whose time has passed. */
export const expired = (at: Timestamp, rejection: OwnRejection): ReadonlyArray<LoanEvent> => [
  { _tag: "ProposalExpired", at, rejection: rejectionByLastro(rejection) }
]

/**
 * An expired proposal is CANCELLED. Its rejection is CORRECTION_EXPIRED, or CONTRACT_CONFLICT if the lender returned
 * the contract of another proposal. A proposal that was corrected in time is unchanged.
 * @rule PROP-15
 */
export const decideExpire = ({ at }: ExpireProposal, application: Application): ReadonlyArray<LoanEvent> =>
  isProposalExpired(application, at)
    ? expired(at, application.proposal?.status === "CORRECTION_NEEDED" ? "CORRECTION_EXPIRED" : "CONFLICT_EXPIRED")
    : []
