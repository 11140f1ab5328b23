import { Schema } from "effect"
import { QuoteId } from "../../id/QuoteId.ts"
import { Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"
import { QuoteStatus, quoteStatus } from "../application/QuoteStatus.ts"
import { type Quote } from "../quote/Quote.ts"
import { RejectionReason } from "../quote/RejectionReason.ts"
import { FgtsOffer, fgtsOffer, FgtsTable } from "./FgtsOffer.ts"

/** A quote and what came of it. */
export const FgtsQuote = Schema.Struct({
  quote_id: QuoteId,
  /** From 1. */
  number: Schema.Int,
  status: QuoteStatus,
  /** Best net first. */
  offers: Schema.Array(FgtsOffer),
  /** Tables that gave no offer, and why. */
  unpriced: Schema.Array(Schema.Struct({ table: FgtsTable, rejection: RejectionReason })),
  rejection: Schema.NullOr(RejectionReason),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "FgtsQuote" })
export type FgtsQuote = typeof FgtsQuote.Type

/** A quote as answers show it at a time. */
export const fgtsQuote = (application: Application, quote: Quote, at: Timestamp): FgtsQuote => ({
  quote_id: quote.quote_id,
  number: quote.number,
  status: quoteStatus(application, quote),
  offers: quote.offers.map((offer) => fgtsOffer(application, quote, offer, at)),
  unpriced: quote.unpriced,
  rejection: quote.rejection,
  created_at: quote.created_at,
  completed_at: quote.completed_at
})
