import { Result } from "effect"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { ApplicationNotCancellable } from "./ApplicationRefusals.ts"
import { isCancelledEarly } from "./ApplicationStatus.ts"
import { type CancellationReason } from "./ContractFacts.ts"
import { type LenderExits } from "./LenderContract.ts"
import { isSettled, type Proposal } from "./Proposal.ts"

/** The command to cancel an application. */
export interface CancelApplication {
  readonly _tag: "CancelApplication"
  readonly at: Timestamp
  readonly reason: CancellationReason
  /** The exits that the lender offers: cancellation, refund, new signature link. Null if they are not known. */
  readonly exits: LenderExits | null
}

/**
 * A cancellation for CUSTOMER_REQUEST has the rejection code CUSTOMER_CANCELLED. Any other reason gives CANCELLED_BY_PARTNER.
 * @rule FGTS-29
 */
export const cancellationRejection = (reason: CancellationReason): RejectionReason =>
  reason === "CUSTOMER_REQUEST"
    ? rejectionByLastro("CANCELLED_BY_CUSTOMER")
    : rejectionByLastro("CANCELLED_BY_PARTNER")

/**
 * The lender provably has no contract of a proposal in three cases: no submission of its current data has started, the
 * lender refused the data of the last submission, or the lender returned the contract of another proposal. In the last
 * case, the proposal is never submitted again. The start of a submission is recorded before the lender is called.
 * @rule FGTS-30
 */
export const isUnknownToLender = (
  { asked_at, conflicting_reference = null, reference, status }: Pick<
    Proposal,
    "asked_at" | "conflicting_reference" | "reference" | "status"
  >
): boolean =>
  reference === null &&
  (status === "CORRECTION_NEEDED" || status === "SUBMITTING" && (asked_at === null || conflicting_reference !== null))

/**
 * An application can be cancelled in every status but CONTRACTED, REFUNDING and CANCELLED. Before an offer is accepted,
 * and while the lender provably has no contract, it is cancelled at once. Otherwise the proposal is CANCELLING until
 * the lender confirms. Another cancellation of a CANCELLING proposal changes nothing. If the lender may have a contract
 * and offers no cancellation, the command is refused.
 * @rule FGTS-31
 */
export const decideCancel = (
  application: Application,
  { at, exits, reason }: CancelApplication
): Result.Result<ReadonlyArray<ApplicationEvent>, ApplicationNotCancellable> => {
  const { proposal } = application
  if (proposal === null) {
    return isCancelledEarly(application)
      ? Result.fail(new ApplicationNotCancellable({ reason: "ENDED" }))
      : Result.succeed([{ _tag: "ApplicationCancelled", at, reason, rejection: cancellationRejection(reason) }])
  }
  if (isSettled(proposal) || proposal.status === "REFUND_PENDING") {
    return Result.fail(new ApplicationNotCancellable({ reason: "ENDED" }))
  }
  if (proposal.status === "CANCELLING") return Result.succeed([])
  if (isUnknownToLender(proposal)) {
    const rejection = cancellationRejection(reason)
    return Result.succeed([
      { _tag: "ProposalMoved", at, status: "CANCELLED", reference: null, signature_url: null, rejection }
    ])
  }
  return exits?.cancel === false
    ? Result.fail(new ApplicationNotCancellable({ reason: "LENDER_CANNOT_CANCEL" }))
    : Result.succeed([{ _tag: "CancellationRequested", at, reason }])
}
