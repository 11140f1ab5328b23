import { Effect, Metric } from "effect"
import { startCallMetrics } from "../lender/callMetrics.ts"
import { type Lender } from "../lender/Lender.ts"
import { lenderRegistry } from "../lender/Lenders.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { rejectionCodes } from "../offer/RejectionReason.ts"
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
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400]
})

const rejections = Metric.counter("lastro_quote_rejections_total", {
  description:
    "Answers to quotes without an offer, by lender and rejection code. OTHER: a code that Lastro does not know",
  incremental: true
})

/** The values of the metric label `code`. Any other code counts as OTHER. */
const countedCodes: ReadonlyArray<string> = [...rejectionCodes, "OTHER"]

const rejectionCounter = (lender: string, code: string) =>
  Metric.withAttributes(rejections, { lender, code: countedCodes.includes(code) ? code : "OTHER" })

const contractOutcomes = ["paid", "disbursement_failed", "cancelled", "rejected", "refunded", "settled"] as const
type ContractOutcome = typeof contractOutcomes[number]

const contracts = Metric.counter("lastro_contracts_total", {
  description:
    "Recorded outcomes of contracts at the lender. A contract can have several, for example paid and later settled",
  incremental: true
})

/**
 * The outcomes of contracts, by event. A refund that was not paid is no outcome: the payment has already been counted.
 */
const contractOutcomeByEvent: Partial<Readonly<Record<LoanEvent["_tag"], ContractOutcome>>> = {
  CustomerPaid: "paid",
  PaymentFailed: "disbursement_failed",
  ContractCancelled: "cancelled",
  ProposalExpired: "cancelled",
  ContractRejected: "rejected",
  ContractRefunded: "refunded",
  PaymentReversed: "refunded",
  ContractSettled: "settled"
}

const quoteCounter = (outcome: QuoteOutcome) => Metric.withAttributes(quotes, { outcome })

const contractCounter = (outcome: ContractOutcome) => Metric.withAttributes(contracts, { outcome })

const quoteOutcomeByEvent: Partial<Readonly<Record<LoanEvent["_tag"], QuoteOutcome>>> = {
  QuoteCompleted: "offered",
  QuoteRejected: "rejected",
  QuoteFailed: "failed"
}

/**
 * Counts the outcome of a quote and its duration. For a quote with one lender, also counts the code of its rejection.
 * Rejections by several lenders are counted one by one, at their own events.
 */
const countQuote = (before: Application, event: LoanEvent, outcome: QuoteOutcome, lender: string) => {
  const { created_at, routing } = latestQuote(before)
  const waited_ms = millisOf(event.at) - millisOf(created_at)
  const counted = Effect.andThen(
    Metric.update(quoteCounter(outcome), 1),
    Metric.update(quoteDurations, waited_ms / 1_000)
  )
  return routing === undefined && (event._tag === "QuoteRejected" || event._tag === "QuoteFailed")
    ? Effect.andThen(counted, Metric.update(rejectionCounter(lender, event.rejection.code), 1))
    : counted
}

const countEvent = (before: Application, event: LoanEvent, lender: string): Effect.Effect<void> => {
  const { _tag } = event
  if (_tag === "LenderRejected" || _tag === "LenderFailed") {
    return Metric.update(rejectionCounter(event.lender, event.rejection.code), 1)
  }
  const quoted = quoteOutcomeByEvent[_tag]
  if (quoted !== undefined) return countQuote(before, event, quoted, lender)
  const contracted = contractOutcomeByEvent[_tag]
  return contracted === undefined ? Effect.void : Metric.update(contractCounter(contracted), 1)
}

/**
 * Counts the outcomes of quotes and contracts among the events of a decision. `lender` is the name of the lender that
 * answered a quote with one lender. Run it after the commit.
 */
export const countOutcomes = (
  before: Application,
  events: ReadonlyArray<LoanEvent>,
  lender = "unknown"
): Effect.Effect<void> => Effect.forEach(events, (event) => countEvent(before, event, lender), { discard: true })

/**
 * Creates the metrics of a worker with the value 0: the outcomes of quotes and contracts, and the calls to the lender.
 * A worker runs it when it starts.
 */
export const startJobMetrics: Effect.Effect<void, never, Lender> = Effect.gen(function*() {
  yield* Effect.forEach(quoteOutcomes, (outcome) => Metric.value(quoteCounter(outcome)), { discard: true })
  yield* Effect.forEach(contractOutcomes, (outcome) => Metric.value(contractCounter(outcome)), { discard: true })
  yield* Metric.value(quoteDurations)
  for (const { code: lender } of (yield* lenderRegistry).lenders) {
    yield* Effect.forEach(countedCodes, (code) => Metric.value(rejectionCounter(lender, code)), { discard: true })
    yield* startCallMetrics(lender)
  }
})
