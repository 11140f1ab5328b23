import { Cause, Effect, Exit, Metric } from "effect"
import { monotonicMillis } from "../values/monotonicMillis.ts"
import { LenderUnavailable } from "./LenderFailures.ts"

/**
 * The operations that the metrics of calls distinguish:
 * - quote: requests a quote.
 * - request: submits a contract, or requests a payment, a cancellation, a refund or a new signature link.
 * - poll: polls a contract.
 * - exits: reads whether the lender offers cancellations, refunds and new signature links.
 */
const lenderOperations = ["quote", "request", "poll", "exits"] as const
/** The kind of a call to the lender, in metrics. */
export type LenderOperation = typeof lenderOperations[number]

/**
 * The outcomes of a call:
 * - answered: the lender answered. A refusal is an answer, too.
 * - failed: there was no usable answer.
 * - forbidden: the lender refused our credentials.
 * - throttled: the lender refused the call because there were too many calls.
 * - withheld: the call was not made, because the circuit breaker is open.
 * - no_slot: the call was not made, because the limits of the throttle allowed no call.
 */
const callOutcomes = ["answered", "failed", "forbidden", "throttled", "withheld", "no_slot"] as const
type CallOutcome = typeof callOutcomes[number]

const calls = Metric.counter("lastro_lender_calls_total", {
  description: "Calls to the lender by outcome. Calls with the outcome withheld or no_slot were not made",
  incremental: true
})

const durations = Metric.histogram("lastro_lender_call_duration_seconds", {
  description: "Duration of the calls to the lender that were made",
  boundaries: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]
})

const outcomes: Readonly<Record<LenderUnavailable["reason"], CallOutcome>> = {
  ASKED: "failed",
  UNREACHED: "failed",
  FORBIDDEN: "forbidden",
  THROTTLED: "throttled",
  WITHHELD: "withheld"
}

/**
 * Returns the outcome of a call, or undefined if it was interrupted. A defect of the adapter counts as a failed call.
 */
const outcomeOf = (exit: Exit.Exit<unknown, unknown>): CallOutcome | undefined => {
  if (Exit.isSuccess(exit)) return "answered"
  if (Cause.hasInterruptsOnly(exit.cause)) return undefined
  const failures = exit.cause.reasons.flatMap((reason) => reason._tag === "Fail" ? [reason.error] : [])
  const unavailable = failures.find((failure) => failure instanceof LenderUnavailable)
  if (unavailable !== undefined) return outcomes[unavailable.reason]
  // Any other failure is a refusal by the lender, which is an answer. A cause without a failure is a defect.
  return failures.length > 0 ? "answered" : "failed"
}

const callsOf = (lender: string, operation: LenderOperation, outcome: CallOutcome) =>
  Metric.withAttributes(calls, { lender, operation, outcome })

const count = (lender: string, operation: LenderOperation, outcome: CallOutcome) =>
  Metric.update(callsOf(lender, operation, outcome), 1)

const isMade = (outcome: CallOutcome): boolean => outcome !== "withheld" && outcome !== "no_slot"

/** Records the duration and the outcome of a call. */
export const observeCall = <A, E, R>(
  lender: string,
  operation: LenderOperation,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(monotonicMillis, (begun) =>
    Effect.onExit(call, (exit) => {
      const outcome = outcomeOf(exit)
      if (outcome === undefined) return Effect.void
      const time = Effect.flatMap(
        monotonicMillis,
        (ended) => Metric.update(Metric.withAttributes(durations, { lender, operation }), (ended - begun) / 1_000)
      )
      return Effect.andThen(count(lender, operation, outcome), isMade(outcome) ? time : Effect.void)
    }))

/** Counts a call that was not made, because the limits of the throttle allowed no call. */
export const countPostponed = (lender: string, operation: LenderOperation) => count(lender, operation, "no_slot")

/** Creates the metrics of a lender with the value 0, so that the first call of each outcome is an increase. */
export const startCallMetrics = (lender: string): Effect.Effect<void> =>
  Effect.forEach(
    lenderOperations,
    (operation) =>
      Effect.andThen(
        Effect.forEach(callOutcomes, (outcome) => Metric.value(callsOf(lender, operation, outcome)), { discard: true }),
        Metric.value(Metric.withAttributes(durations, { lender, operation }))
      ),
    { discard: true }
  )
