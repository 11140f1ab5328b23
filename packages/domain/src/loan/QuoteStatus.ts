import { Schema } from "effect"
import { type Quote } from "../offer/Quote.ts"
import { type Application, latestQuote } from "./Application.ts"

/** The status of a quote. */
export const QuoteStatus = Schema.Literals(["PENDING", "COMPLETED", "REJECTED", "FAILED", "SUPERSEDED"]).annotate({
  identifier: "QuoteStatus",
  description: "Quote status. `REJECTED`: the lender rejected it. `FAILED`: the lender was not available. " +
    "`SUPERSEDED`: a newer quote was requested."
})
export type QuoteStatus = typeof QuoteStatus.Type

/**
 * A quote is superseded as soon as a newer quote exists, whatever the outcome of the older one.
 * @rule FGTS-08
 */
export const quoteStatus = (application: Application, quote: Quote): QuoteStatus =>
  quote.number < latestQuote(application).number ? "SUPERSEDED" : quote.outcome
