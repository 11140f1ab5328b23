import { Data } from "effect"

/** A quote is pending already. */
export class QuoteInProgress extends Data.TaggedError("QuoteInProgress") {}

/** The application is past quoting: it is contracting or over, or its refusal cannot be asked again, or not yet. */
export class ApplicationNotQuotable extends Data.TaggedError("ApplicationNotQuotable") {}

/** The offer cannot be accepted any more. */
export class OfferNotAvailable extends Data.TaggedError("OfferNotAvailable")<{
  readonly reason: "EXPIRED" | "SUPERSEDED" | "DECLINED"
}> {}

/** What has to be known of the customer is not all there; `missing` names the fields. */
export class KycIncomplete extends Data.TaggedError("KycIncomplete")<{
  readonly missing: ReadonlyArray<string>
}> {}

/** An offer was accepted, and the KYC with it. */
export class KycLocked extends Data.TaggedError("KycLocked") {}
