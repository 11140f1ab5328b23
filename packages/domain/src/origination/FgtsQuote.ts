import { Schema } from "effect"
import { field } from "../input/field.ts"
import { type Application } from "../loan/Application.ts"
import { QuoteStatus, quoteStatus } from "../loan/OfferStatus.ts"
import { lenderOfOffer, openParts, partsOf } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { type QuotePart, quoteStrategies } from "../offer/QuotePart.ts"
import { RejectionReason } from "../offer/RejectionReason.ts"
import { QuoteId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { FgtsOffer, fgtsOffer, FgtsTable, fgtsTable, NullableLender } from "./FgtsOffer.ts"

const FgtsQuotePart = Schema.Struct({
  lender: NullableLender,
  status: field(
    Schema.Literals(["PENDING", "COMPLETED", "REJECTED", "FAILED", "SKIPPED"]),
    "Status of the part. `COMPLETED`: the lender has offers. `REJECTED`: the lender has no offer. `FAILED`: the lender was " +
      "not available. `SKIPPED`: the lender was not requested, or its answer is no longer needed",
    "COMPLETED"
  ),
  rejection: field(Schema.NullOr(RejectionReason), "Reason why the lender has no offer; otherwise null", null),
  completed_at: field(Schema.NullOr(Timestamp), "When the part ended; null while pending")
}).annotate({ identifier: "FgtsQuotePart", description: "The part of a quote at one lender" })

const partView = ({ completed_at, lender, outcome, rejection }: QuotePart): typeof FgtsQuotePart.Type => ({
  lender: lender.code === "" ? null : lender,
  status: outcome === "WAITING" ? "PENDING" : outcome,
  rejection,
  completed_at
})

/** A quote and its offers. */
export const FgtsQuote = Schema.Struct({
  quote_id: QuoteId,
  number: field(Schema.Int, "Number of the quote within its application, starting at 1", 1),
  status: field(QuoteStatus, "Quote status", "COMPLETED"),
  offers: field(Schema.Array(FgtsOffer), "Offers: highest net amount first, then lowest monthly CET"),
  unpriced: field(
    Schema.Array(Schema.Struct({
      table: FgtsTable,
      lender: NullableLender,
      rejection: field(RejectionReason, "Reason why the table has no offer")
    })),
    "Tables without an offer",
    []
  ),
  strategy: field(
    Schema.Literals(quoteStrategies),
    "Order in which the lenders are requested. `ALL`: all at the same time. `FIRST`: one after the other, until one has an offer",
    "ALL"
  ),
  parts: field(Schema.Array(FgtsQuotePart), "The lenders of the quote, in the order of the routing"),
  open_parts: field(
    Schema.Int,
    "Number of lenders that have not answered yet. Their offers can still join the quote",
    0
  ),
  rejection: field(Schema.NullOr(RejectionReason), "Reason why there is no offer; otherwise null", null),
  created_at: field(Timestamp, "When the quote was requested"),
  completed_at: field(Schema.NullOr(Timestamp), "When the lender answered or the quote failed; null while pending"),
  blocked_until: field(
    Schema.NullOr(Schema.String.annotate({ format: "date" })),
    "First day on which other contracts of the customer no longer pledge the next annual withdrawals, YYYY-MM-DD. Before " +
      "it, an acceptance is usually refused with `EXISTING_CONTRACT`. It is a fact of this quote: only contracts of the " +
      "application's partner and its descendants count. Null if there are none",
    null
  )
}).annotate({ identifier: "FgtsQuote", description: "A quote and its offers" })
export type FgtsQuote = typeof FgtsQuote.Type

/** Converts a quote to its form in responses, with the statuses at a time. */
export const fgtsQuote = (application: Application, quote: Quote, at: Timestamp): FgtsQuote => ({
  quote_id: quote.quote_id,
  number: quote.number,
  status: quoteStatus(application, quote),
  offers: quote.offers.map((offer) => fgtsOffer(application, quote, offer, at)),
  unpriced: quote.unpriced.map((unpriced) => ({
    table: fgtsTable(unpriced.table),
    lender: lenderOfOffer(quote, unpriced),
    rejection: unpriced.rejection
  })),
  strategy: quote.routing?.strategy ?? "ALL",
  parts: partsOf(quote).map(partView),
  open_parts: openParts(quote),
  rejection: quote.rejection,
  created_at: quote.created_at,
  completed_at: quote.completed_at,
  blocked_until: quote.blocked_until ?? null
})
