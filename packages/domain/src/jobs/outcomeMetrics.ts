import { Effect, Metric } from "effect"
import { startCallMetrics } from "../lender/callMetrics.ts"
import { type Lender } from "../lender/Lender.ts"
import { lenderRegistry } from "../lender/Lenders.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { millisOf } from "../values/Timestamp.ts"

const quoteOutcomes = ["offered", "rejected", "failed"] as const
type QuoteOutcome = typeof quoteOutcomes[number]

const quotes = Metric.counter("lastro_quotes_total", {
  description:
    "Recorded outcomes of quotes: offered, rejected, or failed because the lender gave no usable answer in time",
  incremental: true
})

const quoteDurations = Metric.histogram("lastro_quote_duration_seconds", {
  description: "Time from the request of a quote to its recorded outcome",
  boundaries: [1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400]
})

const contractOutcomes = ["paid", "disbursement_failed", "cancelled", "rejected", "refunded", "settled"] as const
type ContractOutcome = typeof contractOutcomes[number]

const contracts = Metric.counter("lastro_contracts_total", {
  description:
    "Recorded outcomes of contracts at the lender. A contract can have several, for example paid and later settled",
  incremental: true
})

/** The outcomes of events at the lender. A refund that was not paid is none: the payment has already been counted. */
const outcomes: Partial<Readonly<Record<LoanEvent["_tag"], ContractOutcome>>> = {
  CustomerPaid: "paid",
  PaymentFailed: "disbursement_failed",
  ContractCancelled: "cancelled",
  ProposalExpired: "cancelled",
  ContractRejected: "rejected",
  ContractRefunded: "refunded",
  PaymentReversed: "refunded",
  ContractSettled: "settled"
}

const quotesOf = (outcome: QuoteOutcome) => Metric.withAttributes(quotes, { outcome })

const contractsOf = (outcome: ContractOutcome) => Metric.withAttributes(contracts, { outcome })

const outcomesOfQuotes: Partial<Readonly<Record<LoanEvent["_tag"], QuoteOutcome>>> = {
  QuoteCompleted: "offered",
  QuoteRejected: "rejected",
  QuoteFailed: "failed"
}

const countEvent = (before: Application, { _tag, at }: LoanEvent): Effect.Effect<void> => {
  const quoted = outcomesOfQuotes[_tag]
  if (quoted !== undefined) {
    const waited_ms = millisOf(at) - millisOf(latestQuote(before).created_at)
    return Effect.andThen(Metric.update(quotesOf(quoted), 1), Metric.update(quoteDurations, waited_ms / 1_000))
  }
  const contracted = outcomes[_tag]
  return contracted === undefined ? Effect.void : Metric.update(contractsOf(contracted), 1)
}

/** Counts the outcomes of quotes and contracts among the events of a decision. Run it after the commit. */
export const countOutcomes = (before: Application, events: ReadonlyArray<LoanEvent>): Effect.Effect<void> =>
  Effect.forEach(events, (event) => countEvent(before, event), { discard: true })

/**
 * Creates the series of a worker with the value 0: the outcomes of quotes and contracts, and the calls to the lender. A
 * worker runs it when it starts.
 */
export const startJobMetrics: Effect.Effect<void, never, Lender> = Effect.gen(function*() {
  yield* Effect.forEach(quoteOutcomes, (outcome) => Metric.value(quotesOf(outcome)), { discard: true })
  yield* Effect.forEach(contractOutcomes, (outcome) => Metric.value(contractsOf(outcome)), { discard: true })
  yield* Metric.value(quoteDurations)
  for (const { code } of (yield* lenderRegistry).lenders) yield* startCallMetrics(code)
})
