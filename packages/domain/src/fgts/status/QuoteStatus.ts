import { Schema } from "effect"
import { type Application, latestQuote } from "../application/Application.ts"
import { type Quote } from "../quote/Quote.ts"

/** How a quote stands. */
export const QuoteStatus = Schema.Literals(["PENDING", "COMPLETED", "REJECTED", "FAILED", "SUPERSEDED"]).annotate({
  identifier: "QuoteStatus",
  description: "Quote status. `REJECTED`: the lender rejected it. `FAILED`: the lender was not available. " +
    "`SUPERSEDED`: a newer quote was requested."
})
export type QuoteStatus = typeof QuoteStatus.Type

/**
 * A quote is superseded as soon as there is a newer one, whatever came of it.
 * @rule FGTS-08
 */
export const quoteStatus = (application: Application, quote: Quote): QuoteStatus =>
  quote.number < latestQuote(application).number ? "SUPERSEDED" : quote.outcome
