import { type ApplicationId, type Quote } from "@lastro/domain"

/** The columns of a quote. */
export const quoteValues = (application_id: ApplicationId, quote: Quote) => ({
  id: quote.quote_id,
  application_id,
  number: quote.number,
  outcome: quote.outcome,
  facts: JSON.stringify(quote)
})
