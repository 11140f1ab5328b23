import { Refusal } from "../input/Refusal.ts"

/** A quote is already pending. */
export class QuoteInProgress
  extends Refusal("QuoteInProgress", "A quote is already in progress. Wait for it to finish.")
{}

/**
 * No new quote can be requested, for one of these reasons:
 *
 * - An offer was accepted.
 * - The rejection is not retryable, or its `retry_at` has not passed.
 * - The application has the maximum number of quotes.
 * - The partner was deleted.
 */
export class ApplicationNotQuotable
  extends Refusal("ApplicationNotQuotable", "The current status of the application does not allow a new quote.")
{}

/**
 * The offer is not available.
 *
 * - EXISTING_CONTRACT: another proposal of the customer, visible to the caller, pledges an annual withdrawal of the
 *   offer, or the next one.
 * - POLICY_CHANGED: today's rules do not allow the offer, or a proposal that the caller cannot see pledges a
 *   withdrawal.
 * - LENDER_STOPPED: the lender accepts no offers now.
 */
export class OfferNotAvailable extends Refusal("OfferNotAvailable", "The offer is no longer available.", ["reason"])<{
  readonly reason: "EXPIRED" | "SUPERSEDED" | "DECLINED" | "EXISTING_CONTRACT" | "POLICY_CHANGED" | "LENDER_STOPPED"
}> {}

/** Required KYC fields are missing; `missing` lists them. */
export class KycIncomplete
  extends Refusal("KycIncomplete", "Required KYC fields are missing. Submit them first.", ["missing"])<{
    readonly missing: ReadonlyArray<string>
  }>
{}

/**
 * The KYC is locked: an offer was accepted, or the application was cancelled. `locked` lists the fields that the
 * submission changes and that cannot be corrected. Empty if the whole KYC is locked.
 */
export class KycLocked extends Refusal(
  "KycLocked",
  "The KYC data can no longer be changed: an offer was accepted, or the application was cancelled.",
  ["locked"]
)<{ readonly locked: ReadonlyArray<string> }> {}

/**
 * The application cannot be cancelled.
 *
 * - ENDED: it is paid, being refunded or cancelled.
 * - LENDER_CANNOT_CANCEL: the lender has the contract and supports no cancellation.
 * - LENDER_MAY_HAVE_CONTRACT: the lender supports no cancellation, and has not answered the submission.
 */
export class ApplicationNotCancellable
  extends Refusal("ApplicationNotCancellable", "The current status of the application does not allow a cancellation.", [
    "reason"
  ])<{
    readonly reason: "ENDED" | "LENDER_CANNOT_CANCEL" | "LENDER_MAY_HAVE_CONTRACT"
  }>
{}

/**
 * The job cannot be cancelled.
 *
 * - LENDER_MAY_HAVE_CONTRACT: the lender may have a contract. Cancel the application instead.
 * - ENDED: the contract is paid, being refunded or ended. Its job ends by itself.
 * - QUOTE_PENDING: the quote waits for its lenders. Cancel the jobs of the lenders instead.
 */
export class JobNotCancellable extends Refusal("JobNotCancellable", "The job cannot be cancelled.", [
  "reason"
])<{
  readonly reason: "LENDER_MAY_HAVE_CONTRACT" | "ENDED" | "QUOTE_PENDING"
}> {}

/**
 * The customer cannot withdraw from the contract.
 *
 * - NOT_PAID: its status is not PAID. It was never paid, is being refunded, or has ended.
 * - TOO_LATE: the right of regret has ended.
 * - LENDER_CANNOT_REFUND: the lender supports no refunds.
 */
export class ProposalNotWithdrawable
  extends Refusal("ProposalNotWithdrawable", "The current status of the proposal does not allow a withdrawal.", [
    "reason"
  ])<{
    readonly reason: "NOT_PAID" | "TOO_LATE" | "LENDER_CANNOT_REFUND"
  }>
{}

/**
 * No signature link can be requested.
 *
 * - NOT_PENDING: the status is not AWAITING_SIGNATURE.
 * - LENDER_HAS_NO_LINKS: the lender supports no new links.
 */
export class SignatureNotPending
  extends Refusal("SignatureNotPending", "No signature link can be requested for this contract.", ["reason"])<{
    readonly reason: "NOT_PENDING" | "LENDER_HAS_NO_LINKS"
  }>
{}
