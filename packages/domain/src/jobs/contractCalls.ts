import { Effect } from "effect"
import { kycForLender } from "../kyc/KycRequirements.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { type Lender } from "../lender/Lender.ts"
import {
  type ExitRefused,
  type LenderUnavailable,
  type LenderUnsupported,
  type SubmissionInvalid
} from "../lender/LenderFailures.ts"
import { type Application } from "../loan/Application.ts"
import { findOffer } from "../loan/decideAccept.ts"
import { type RecordContract } from "../loan/decideContract.ts"
import { type ContractSubmission, type LenderContract } from "../loan/LenderContract.ts"
import { type Proposal } from "../loan/Proposal.ts"
import { type ExitFound, requestExit } from "./requestExit.ts"

/** The next call to the lender for a contract. If it requests a refund or a signature link, `answers` names that request. */
export interface ContractCall {
  readonly run: Effect.Effect<
    LenderContract | null,
    ExitFound | ExitRefused | LenderUnavailable | LenderUnsupported | SubmissionInvalid
  >
  readonly answers: RecordContract["answers"]
}

/**
 * Returns whether a request about a contract still waits for the lender's answer: the submission, a payment with
 * corrected data, a cancellation, a withdrawal or a new signature link. A contract whose reference belongs to another
 * proposal is not submitted again.
 */
export const isCallPending = (
  { conflicting_reference = null, disbursement_attempt, link_requested_at = null, reference, status, withdrawal }:
    Proposal
): boolean => {
  switch (status) {
    case "SUBMITTING":
      return conflicting_reference === null
    case "DISBURSING":
      return disbursement_attempt > 1 && reference !== null
    case "CANCELLING":
      return true
    case "REFUND_PENDING":
      return withdrawal?.is_confirmed === false
    case "AWAITING_SIGNATURE":
      return link_requested_at !== null
    default:
      return false
  }
}

/** Returns the pending call of a contract. Every attempt of a call sends the same idempotency keys and times. */
export const pendingCall = (
  application: Application,
  proposal: Proposal,
  lender: Lender["Service"]
): ContractCall => {
  const {
    cancellation = null,
    created_at,
    disbursement,
    disbursement_attempt,
    proposal_id,
    reference,
    withdrawal = null
  } = proposal
  // The time of the last status change, because every attempt must send the same time.
  const requested_at = proposal.status_history.at(-1)?.at ?? created_at
  if (proposal.status === "CANCELLING") {
    const reason = cancellation?.reason ?? "OTHER"
    const request = { proposal_id, reference, reason, requested_at: cancellation?.requested_at ?? requested_at }
    return { run: requestExit(lender, "cancel", () => lender.cancel(request)), answers: undefined }
  }
  if (proposal.status === "SUBMITTING" || reference === null) {
    return { run: Effect.flatMap(submissionOf(application, proposal), lender.submit), answers: undefined }
  }
  switch (proposal.status) {
    case "REFUND_PENDING": {
      const reason = withdrawal?.reason ?? "OTHER"
      const request = { proposal_id, reference, reason, requested_at: withdrawal?.requested_at ?? requested_at }
      return { run: requestExit(lender, "refund", () => lender.refund(request)), answers: "refund" }
    }
    case "AWAITING_SIGNATURE":
      return {
        run: requestExit(lender, "signature_link", () => lender.signatureLink(reference)),
        answers: "signature_link"
      }
    default:
      return {
        run: lender.resubmit({ proposal_id, reference, disbursement, disbursement_attempt, requested_at }),
        answers: undefined
      }
  }
}

const submissionOf = (application: Application, proposal: Proposal): Effect.Effect<ContractSubmission> =>
  Effect.map(Effect.orDie(Effect.fromResult(findOffer(application, proposal.offer_id))), ({ offer }) => ({
    proposal_id: proposal.proposal_id,
    application_id: application.application_id,
    accepted_at: proposal.created_at,
    acceptance: proposal.acceptance,
    origin: proposal.origin ?? null,
    offer,
    customer: application.customer,
    kyc: kycForLender(application.kyc ?? emptyKyc, application.requirements),
    disbursement: proposal.disbursement
  }))
