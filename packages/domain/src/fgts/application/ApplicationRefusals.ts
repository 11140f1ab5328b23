import { Data } from "effect"

/** A quote is already pending. */
export class QuoteInProgress extends Data.TaggedError("QuoteInProgress") {}

/**
 * No new quote can be requested: an offer was accepted, the rejection is not retryable, the `retry_at` of the rejection has not passed,
 * the application has the maximum number of quotes, or its partner was deleted.
 */
export class ApplicationNotQuotable extends Data.TaggedError("ApplicationNotQuotable") {}

/** The offer is not available. EXISTING_CONTRACT: another proposal of the customer already pledges an annual withdrawal of the offer. */
export class OfferNotAvailable extends Data.TaggedError("OfferNotAvailable")<{
  readonly reason: "EXPIRED" | "SUPERSEDED" | "DECLINED" | "EXISTING_CONTRACT"
}> {}

/** Required KYC fields are missing; `missing` lists them. */
export class KycIncomplete extends Data.TaggedError("KycIncomplete")<{
  readonly missing: ReadonlyArray<string>
}> {}

/** The KYC is locked, because an offer was accepted. */
export class KycLocked extends Data.TaggedError("KycLocked") {}

/**
 * The application cannot be cancelled. ENDED: it is paid, refunding or cancelled. LENDER_CANNOT_CANCEL: the lender has a contract and offers
 * no cancellation.
 */
export class ApplicationNotCancellable extends Data.TaggedError("ApplicationNotCancellable")<{
  readonly reason: "ENDED" | "LENDER_CANNOT_CANCEL"
}> {}

/**
 * The customer cannot withdraw from the contract. NOT_PAID: its status is not PAID. TOO_LATE: the right of regret has ended.
 * LENDER_CANNOT_REFUND: the lender offers no refund.
 */
export class ProposalNotWithdrawable extends Data.TaggedError("ProposalNotWithdrawable")<{
  readonly reason: "NOT_PAID" | "TOO_LATE" | "LENDER_CANNOT_REFUND"
}> {}

/** No signature link can be requested. NOT_PENDING: the status is not AWAITING_SIGNATURE. LENDER_HAS_NO_LINKS: the lender renews no links. */
export class SignatureNotPending extends Data.TaggedError("SignatureNotPending")<{
  readonly reason: "NOT_PENDING" | "LENDER_HAS_NO_LINKS"
}> {}
