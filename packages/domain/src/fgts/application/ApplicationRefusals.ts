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
