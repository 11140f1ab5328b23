import { Effect } from "effect"
import { type Application, latestQuote } from "../loan/Application.ts"
import { openUntil } from "../loan/continueQuote.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { type Proposal } from "../loan/Proposal.ts"
import { partsOf } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { DurableWork } from "./DurableWork.ts"

/** Starts the jobs of a new quote: one for each lender that is requested at once, and one for its waiting time. */
export const startQuoteJobs = Effect.fnUntraced(function*(quote: Quote) {
  const { startPatience, startQuote } = yield* DurableWork
  const { quote_id, routing } = quote
  if (routing === undefined) return yield* startQuote(quote_id)
  for (const { lender, outcome } of partsOf(quote)) {
    if (outcome === "PENDING") yield* startQuote(quote_id, lender.code)
  }
  yield* startPatience(quote_id)
})

export const startContractJob = ({ lender, proposal_id }: Proposal) =>
  Effect.flatMap(DurableWork, (work) => work.startContract(proposal_id, lender?.code))

/**
 * Starts the jobs that the events of a quote need. Each newly requested lender needs a job. If lenders are still
 * pending after the quote was completed, they have another deadline, so the job of the waiting time is started, too.
 * Call it in the transaction of the events.
 */
export const startNextJobs = Effect.fnUntraced(
  function*(application: Application, events: ReadonlyArray<LoanEvent>) {
    const { startPatience, startQuote } = yield* DurableWork
    const quote = latestQuote(application)
    for (const event of events) {
      if (event._tag === "LenderAsked") yield* startQuote(quote.quote_id, event.lender)
      if (event._tag === "QuoteCompleted" && openUntil(quote) !== null) yield* startPatience(quote.quote_id)
    }
  }
)
