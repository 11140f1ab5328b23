import { Schema } from "effect"
import { type Offer } from "../offer/Offer.ts"
import { isExpired } from "../offer/offerExpiry.ts"
import { type Quote } from "../offer/Quote.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { isCancelledEarly } from "./ApplicationStatus.ts"

/** The status of an offer. It is derived (FGTS-07), never stored. */
export const OfferStatus = Schema.Literals(["AVAILABLE", "ACCEPTED", "SUPERSEDED", "DECLINED", "EXPIRED"]).annotate({
  identifier: "OfferStatus",
  description: "Offer status. `SUPERSEDED`: a newer quote was requested. `DECLINED`: another offer was accepted, " +
    "or the application was cancelled."
})
export type OfferStatus = typeof OfferStatus.Type

/**
 * A newer quote supersedes all offers of older quotes. When an offer is accepted, the other offers of its quote are
 * declined. When the application is cancelled before that, all offers of the latest quote are declined. Any other offer
 * is available until it expires.
 * @rule FGTS-07
 */
export const offerStatus = (application: Application, quote: Quote, offer: Offer, at: Timestamp): OfferStatus => {
  if (application.proposal?.offer_id === offer.offer_id) return "ACCEPTED"
  if (quote.number < latestQuote(application).number) return "SUPERSEDED"
  if (application.proposal !== null || isCancelledEarly(application)) return "DECLINED"
  return isExpired(offer, at) ? "EXPIRED" : "AVAILABLE"
}

/** The status of a quote. It is derived (FGTS-08), never stored. */
export const QuoteStatus = Schema.Literals(["PENDING", "COMPLETED", "REJECTED", "FAILED", "SUPERSEDED"]).annotate({
  identifier: "QuoteStatus",
  description:
    "Quote status. `REJECTED`: no lender has an offer, or the application was cancelled. `FAILED`: no lender was " +
    "available. " +
    "`SUPERSEDED`: a newer quote was requested."
})
export type QuoteStatus = typeof QuoteStatus.Type

/**
 * A quote is superseded as soon as a newer quote exists, whatever the outcome of the older one.
 * @rule FGTS-08
 */
export const quoteStatus = (application: Application, quote: Quote): QuoteStatus =>
  quote.number < latestQuote(application).number ? "SUPERSEDED" : quote.outcome
