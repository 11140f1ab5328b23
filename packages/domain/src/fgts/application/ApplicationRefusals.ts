import { Schema } from "effect"

/** A quote is pending already. */
export class QuoteInProgress extends Schema.TaggedError<QuoteInProgress>()("QuoteInProgress", {}) {}

/** The application is past quoting: it is contracting or over, or its refusal cannot be asked again, or not yet. */
export class ApplicationNotQuotable
  extends Schema.TaggedError<ApplicationNotQuotable>()("ApplicationNotQuotable", {})
{}

/** The offer cannot be accepted any more. */
export class OfferNotAvailable extends Schema.TaggedError<OfferNotAvailable>()("OfferNotAvailable", {
  reason: Schema.Literals(["EXPIRED", "SUPERSEDED", "DECLINED"])
}) {}

/** What has to be known of the customer is not all there; `missing` names the fields. */
export class KycIncomplete extends Schema.TaggedError<KycIncomplete>()("KycIncomplete", {
  missing: Schema.Array(Schema.String)
}) {}

/** An offer was accepted, and the KYC with it. */
export class KycLocked extends Schema.TaggedError<KycLocked>()("KycLocked", {}) {}
