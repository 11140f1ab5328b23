import { Result } from "effect"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { isCancelledEarly } from "./ApplicationStatus.ts"
import { type CancellationReason } from "./ContractFacts.ts"
import { failPart } from "./decideQuote.ts"
import { type CancelApplication, type CancelJob, type RecordNoContract } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { ApplicationNotCancellable, JobNotCancellable } from "./LoanRefusals.ts"
import { type Cancelling, isPaidOrFinal, type Proposal, referenceOf } from "./Proposal.ts"
import { openParts } from "./quoteParts.ts"

/**
 * A cancellation for CUSTOMER_REQUEST has the rejection code CUSTOMER_CANCELLED. Any other reason gives
 * CANCELLED_BY_PARTNER.
 * @rule FGTS-29
 */
export const cancellationRejection = (reason: CancellationReason): RejectionReason =>
  reason === "CUSTOMER_REQUEST"
    ? rejectionByLastro("CANCELLED_BY_CUSTOMER")
    : rejectionByLastro("CANCELLED_BY_PARTNER")

/**
 * A proposal can be cancelled at once while no contract of it is known at the lender. This is so in four cases:
 *
 * - No submission of the current data has started. The start is recorded before the lender is called.
 * - The lender did not receive the submission (PROP-18).
 * - The lender refused the data of the last submission.
 * - The lender returned the contract of another proposal. This proposal is then never submitted again.
 *
 * If a late submission still creates a contract, that contract is cancelled (FGTS-53).
 * @rule FGTS-30
 */
export const isUnknownToLender = (proposal: Proposal): boolean => {
  switch (proposal.status) {
    case "SUBMITTING":
      return proposal.contract === null && (proposal.submitted_at === null || proposal.conflicting_reference !== null)
    case "CORRECTION_NEEDED":
      return true
    default:
      return false
  }
}

const refuse = (reason: ApplicationNotCancellable["reason"]) => Result.fail(new ApplicationNotCancellable({ reason }))

/**
 * An application can be cancelled in every status but CONTRACTED, REFUNDING and CANCELLED. It is cancelled at once
 * before an offer is accepted, and while no contract is known at the lender (FGTS-30). Otherwise the proposal is
 * CANCELLING until the lender confirms. Another cancellation of a CANCELLING proposal changes nothing. If the lender may
 * have a contract and supports no cancellation, the command is refused.
 * @rule FGTS-31
 */
export const decideCancel = (
  { at, exits, reason }: CancelApplication,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, ApplicationNotCancellable> => {
  const { proposal } = application
  const rejection = cancellationRejection(reason)
  if (proposal === null) {
    if (isCancelledEarly(application)) return refuse("ENDED")
    return Result.succeed([{ _tag: "ApplicationCancelled", at, reason, rejection }])
  }
  if (hasEnded(proposal)) return refuse("ENDED")
  if (proposal.status === "CANCELLING") return Result.succeed([])
  if (isUnknownToLender(proposal)) {
    return Result.succeed([{ _tag: "ContractCancelled", at, stated: null, reason, rejection }])
  }
  if (exits?.cancel !== false) return Result.succeed([{ _tag: "CancellationRequested", at, reason }])
  return refuse(referenceOf(proposal) === null ? "LENDER_MAY_HAVE_CONTRACT" : "LENDER_CANNOT_CANCEL")
}

/** Returns whether a contract is paid, being refunded or ended. */
const hasEnded = (proposal: Proposal): boolean => isPaidOrFinal(proposal) || proposal.status === "REFUND_PENDING"

/**
 * A requested cancellation is completed when the lender answers that it has no contract of the proposal and will create
 * none.
 * @rule FGTS-35
 */
export const decideRecordNoContract = (
  { at }: RecordNoContract,
  { proposal }: Application
): ReadonlyArray<LoanEvent> => proposal?.status === "CANCELLING" ? cancelledAtLender(proposal, at) : []

/** Returns the event that completes a requested cancellation, because the lender has no contract. */
export const cancelledAtLender = ({ cancellation }: Cancelling, at: Timestamp): ReadonlyArray<LoanEvent> => [
  { _tag: "ContractCancelled", at, stated: null, reason: null, rejection: cancellationRejection(cancellation.reason) }
]

/**
 * The operator can cancel the job of a quote, and the job of a contract while no contract is known at the lender
 * (FGTS-30).
 *
 * - The quote of a cancelled job, or its part at one lender, is FAILED with NO_ANSWER. Lenders that wait for their turn
 *   are requested next, if the routing still has them.
 * - The proposal of a cancelled job is CANCELLED with CANCELLED_BY_PARTNER.
 * - A job that the application no longer needs is cancelled without an event.
 *
 * In any other case the command is refused, because without its job nothing polls the contract at the lender. The
 * operator can then cancel the application.
 * @rule JOB-07
 */
export const decideCancelJob = (
  { at, job }: CancelJob,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, JobNotCancellable> => {
  const { proposal } = application
  if (job.kind === "quote") {
    const isLatest = latestQuote(application).quote_id === job.id
    return Result.succeed(isLatest ? failPart(application, at, job.lender) : [])
  }
  if (job.kind === "patience") {
    const quote = latestQuote(application)
    return quote.quote_id === job.id && openParts(quote) > 0
      ? Result.fail(new JobNotCancellable({ reason: "QUOTE_PENDING" }))
      : Result.succeed([])
  }
  if (proposal?.proposal_id !== job.id) return Result.succeed([])
  if (hasEnded(proposal)) return Result.fail(new JobNotCancellable({ reason: "ENDED" }))
  if (!isUnknownToLender(proposal)) return Result.fail(new JobNotCancellable({ reason: "LENDER_MAY_HAVE_CONTRACT" }))
  const rejection = rejectionByLastro("CANCELLED_BY_PARTNER")
  return Result.succeed([{ _tag: "ContractCancelled", at, stated: null, reason: null, rejection }])
}
