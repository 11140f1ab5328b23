import { Effect } from "effect"
import { type Application, latestQuote } from "../loan/Application.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { type Proposal } from "../loan/Proposal.ts"
import { partsOf } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { DurableWork } from "./DurableWork.ts"

/** Starts the jobs of a new quote: one for each lender that is requested at once, and one for its patience. */
export const startQuoteJobs = Effect.fnUntraced(function*(quote: Quote) {
  const { startPatience, startQuote } = yield* DurableWork
  const { quote_id, routing } = quote
  if (routing === undefined) return yield* startQuote(quote_id)
  for (const { lender, outcome } of partsOf(quote)) {
    if (outcome === "PENDING") yield* startQuote(quote_id, lender.code)
  }
  yield* startPatience(quote_id)
})

/** Starts the job of a contract. */
export const startContractJob = ({ lender, proposal_id }: Proposal) =>
  Effect.flatMap(DurableWork, (work) => work.startContract(proposal_id, lender?.code))

/** Starts the job of each lender that a quote requests next. Call it in the transaction of the events. */
export const startAskedLenders = Effect.fnUntraced(
  function*(application: Application, events: ReadonlyArray<LoanEvent>) {
    const { startQuote } = yield* DurableWork
    for (const event of events) {
      if (event._tag === "LenderAsked") yield* startQuote(latestQuote(application).quote_id, event.lender)
    }
  }
)
