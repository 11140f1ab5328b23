import { Effect } from "effect"
import { kycForLender } from "../kyc/KycRequirements.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { type LenderOperation } from "../lender/callMetrics.ts"
import { type CallPostponed, type CallTicket, callWithinLimits } from "../lender/callWithinLimits.ts"
import { type Lender } from "../lender/Lender.ts"
import {
  type ExitRefused,
  type LenderUnavailable,
  type LenderUnsupported,
  type SubmissionInvalid
} from "../lender/LenderFailures.ts"
import { type LenderThrottle } from "../lender/LenderThrottle.ts"
import { acceptedOffer, type Application } from "../loan/Application.ts"
import { type ContractSubmission, type LenderContract } from "../loan/LenderContract.ts"
import { type RecordContract } from "../loan/LoanCommand.ts"
import { type Proposal, referenceOf, statusSince } from "../loan/Proposal.ts"
import { judgeLenderReference } from "./judgeTexts.ts"
import { type ExitFound, requestExit } from "./requestExit.ts"

/**
 * The next call to the lender for a contract. `answers` names the request that this call makes, if it is a refund or a
 * signature link.
 */
export interface ContractCall {
  readonly run: Effect.Effect<
    LenderContract | null,
    ExitFound | ExitRefused | LenderUnavailable | LenderUnsupported | SubmissionInvalid
  >
  readonly answers: RecordContract["answers"]
}

/**
 * Returns whether the lender still has to answer a request about a contract: the submission, a payment with corrected
 * data, a cancellation, a withdrawal or a new signature link. A payment with corrected data counts as unanswered until
 * the status changes, because only the progress of the job records its answer. A contract is not submitted again if the
 * lender has confirmed it, or if its reference belongs to another proposal.
 */
export const isCallPending = (proposal: Proposal): boolean => {
  switch (proposal.status) {
    case "SUBMITTING":
      return proposal.contract === null && proposal.conflicting_reference === null
    case "DISBURSING":
      return proposal.disbursement_attempt > 1
    case "CANCELLING":
      return true
    case "REFUND_PENDING":
      return proposal.withdrawal?.is_confirmed === false
    case "AWAITING_SIGNATURE":
      return proposal.link_requested_at !== null
    default:
      return false
  }
}

/** Returns the pending call of a contract, or null. Every attempt sends the same idempotency keys and times. */
export const pendingCall = (application: Application, lender: Lender["Service"]): ContractCall | null => {
  const { proposal } = application
  if (proposal === null || !isCallPending(proposal)) return null
  const { disbursement, disbursement_attempt, proposal_id } = proposal
  switch (proposal.status) {
    case "CANCELLING": {
      const request = { proposal_id, reference: referenceOf(proposal), ...proposal.cancellation }
      return { run: requestExit(lender, "cancel", () => lender.cancel(request)), answers: undefined }
    }
    case "SUBMITTING":
      return { run: Effect.suspend(() => lender.submit(submissionOf(application, proposal))), answers: undefined }
    case "REFUND_PENDING": {
      const { reason = "OTHER", requested_at = statusSince(proposal) } = proposal.withdrawal ?? {}
      const request = { proposal_id, reference: proposal.contract.reference, reason, requested_at }
      return { run: requestExit(lender, "refund", () => lender.refund(request)), answers: "refund" }
    }
    case "AWAITING_SIGNATURE": {
      const { reference } = proposal.contract
      return {
        run: requestExit(lender, "signature_link", () => lender.signatureLink(reference)),
        answers: "signature_link"
      }
    }
    case "DISBURSING": {
      // This is the time of the last status change, so that every attempt sends the same time.
      const requested_at = statusSince(proposal)
      const { reference } = proposal.contract
      const request = { proposal_id, reference, disbursement, disbursement_attempt, requested_at }
      return { run: lender.resubmit(request), answers: undefined }
    }
    default:
      return null
  }
}

/** Returns the submission of a contract. Throws if the accepted offer does not exist, which is a defect. */
const submissionOf = (application: Application, proposal: Proposal): ContractSubmission => {
  const offer = acceptedOffer(application)
  if (offer === undefined) throw new Error("The accepted offer of the proposal does not exist")
  return {
    proposal_id: proposal.proposal_id,
    application_id: application.application_id,
    accepted_at: proposal.created_at,
    acceptance: proposal.acceptance,
    origin: proposal.origin,
    offer,
    customer: application.customer,
    kyc: kycForLender(application.kyc ?? emptyKyc, application.requirements),
    disbursement: proposal.disbursement
  }
}

/**
 * Calls the lender once for a contract, within the limits of the throttle, and validates the reference in the answer.
 */
export const callLender = <A extends LenderContract | null, E, R>(
  ticket: CallTicket,
  operation: LenderOperation,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LenderUnavailable | CallPostponed, R | Lender | LenderThrottle> =>
  Effect.flatMap(
    callWithinLimits(ticket, operation, call),
    (contract) => Effect.fromResult(judgeLenderReference(contract))
  )
