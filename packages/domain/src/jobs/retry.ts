import { type CallPostponed } from "../lender/callWithinLimits.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { type Quote } from "../offer/Quote.ts"
import { millisOf, type Timestamp } from "../values/Timestamp.ts"
import { fractionOf } from "../values/Uuid.ts"
import { type Job, type JobOutcome, type JobProgress } from "./Job.ts"

/** Maximum number of attempts to get a quote. If the last attempt gets no answer, the quote fails. */
export const maxAttempts = 3

/** Time from the request of a quote to its deadline, in milliseconds: 10 minutes. */
export const quoteDeadlineMs = 10 * 60_000

const firstPauseMs = 400
const longestPauseMs = 60_000

/**
 * Returns a jitter between 0 and 1, computed from the attempt and the job's id. It differs between jobs and between
 * attempts.
 */
const jitterOf = (id: string, attempt: number): number => (fractionOf(id) * attempt) % 1

/** Returns a delay that doubles with each attempt up to `longest`, minus the jitter. */
const backOff = (id: string, attempt: number, longest: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(attempt - 1, 20), longest) * (1 - jitterOf(id, attempt) / 2)

/**
 * Retries back off exponentially, from 400 ms to one minute. Each job subtracts a jitter of up to half the delay, so
 * that jobs that failed together do not retry together.
 * @rule LENDER-01
 */
export const retryDelayMs = (id: string, attempt: number): number => backOff(id, attempt, longestPauseMs)

const longestThrottleMs = 15 * 60_000
const longestThrottleBackOffMs = 10_000
const defaultThrottleMs = 1_000

/**
 * A call that the lender throttled is repeated after the delay that the lender states, at most 15 minutes, or after one
 * second if the lender states none. A back-off of up to 10 seconds is added, so that the waiting jobs do not all return
 * together.
 * @rule LENDER-07
 */
export const throttledDelayMs = (id: string, pauses: number, retry_after_ms: number | undefined): number =>
  Math.min(Math.max(retry_after_ms ?? defaultThrottleMs, 0), longestThrottleMs) +
  backOff(id, pauses, longestThrottleBackOffMs)

/**
 * Returns the delay before the next attempt of a quote. It is at least the delay that the lender states, up to 15
 * minutes. A delay that would end after the deadline ends at the deadline, when the last attempt is made.
 */
export const quoteRetryDelayMs = (
  { created_at, quote_id }: Pick<Quote, "created_at" | "quote_id">,
  pauses: number,
  at: Timestamp,
  { deadline_ms = quoteDeadlineMs, retry_after_ms = 0 }: {
    readonly deadline_ms?: number
    readonly retry_after_ms?: number | undefined
  } = {}
): number => {
  const delay_ms = Math.max(retryDelayMs(quote_id, pauses), Math.min(retry_after_ms, longestThrottleMs))
  return untilDeadline(delay_ms, created_at, at, deadline_ms)
}

/** Shortens a delay that would end after the deadline of a quote, so that it ends at the deadline. */
export const untilDeadline = (after_ms: number, created_at: Timestamp, at: Timestamp, deadline_ms: number): number =>
  Math.min(after_ms, Math.max(millisOf(created_at) + deadline_ms - millisOf(at), 0))

const shortestLookMs = 1_000

/**
 * A quote that the lender answered with PENDING is requested again at the time that the lender states, but not sooner
 * than after one second and not later than at its deadline.
 * @rule LENDER-06
 */
export const pendingDelayMs = (
  { look_at }: { readonly look_at: Timestamp },
  { created_at }: Pick<Quote, "created_at">,
  at: Timestamp,
  deadline_ms: number
): number => {
  const stated = millisOf(look_at) - millisOf(at)
  return untilDeadline(stated > shortestLookMs ? stated : shortestLookMs, created_at, at, deadline_ms)
}

/**
 * The deadline of a quote is ten minutes after its request. Once the lender has answered PENDING, it is the deadline
 * that the operator sets: 24 hours by default.
 * @rule LENDER-12
 */
export const deadlineMsOf = (
  isPending: boolean,
  { quote_deadline_ms }: { readonly quote_deadline_ms: number }
): number => isPending ? quote_deadline_ms : quoteDeadlineMs

/** A failed attempt to get a quote. */
export interface QuoteAttempt {
  readonly created_at: Timestamp
  /** Number of this attempt, starting at 1. Only attempts that called the lender are counted. */
  readonly attempt: number
  readonly failure: AgeingFailure
  /** True once the lender has answered PENDING. Default: false. */
  readonly isPending?: boolean
  /** Time from the request of the quote to its deadline ({@link deadlineMsOf}). Default: ten minutes. */
  readonly deadline_ms?: number
}

/** The part of a failure that determines whether it counts as an attempt. */
type AgeingFailure = Pick<LenderUnavailable, "is_cause" | "reason">

/** Returns whether a failed call counts as an attempt. */
export const isAttempt = ({ is_cause = false, reason }: AgeingFailure): boolean =>
  reason === "ASKED" || reason === "FORBIDDEN" || reason === "UNREACHED" || is_cause

/**
 * A call that the open circuit breaker withholds counts as an attempt only for a job whose own failed calls helped to
 * open it. Any other job keeps its attempts, and runs again when the breaker allows a call.
 * @rule LENDER-25
 */
export const isAgeing = ({ is_cause }: AgeingFailure): boolean => is_cause !== false

/**
 * A quote fails after three attempts without an answer, or at its deadline. Throttled calls do not count as attempts.
 * Calls that the open circuit breaker withholds count only by LENDER-25. Once the lender has answered PENDING, the
 * quote fails only at its deadline.
 * @rule LENDER-02
 */
export const isLastAttempt = (
  { attempt, created_at, deadline_ms = quoteDeadlineMs, failure, isPending = false }: QuoteAttempt,
  at: Timestamp
): boolean =>
  (!isPending && isAttempt(failure) && attempt >= maxAttempts) || millisOf(at) - millisOf(created_at) >= deadline_ms

const longestContractPauseMs = 24 * 3_600_000

/** Number of attempts of a contract request with the delays of LENDER-01. Together they take about an hour. */
const steadyAttempts = 60

/**
 * Returns a delay that is one minute longer for each attempt after the 60th, up to one day. For the attempts before,
 * the result is zero or negative.
 */
const grownDelayMs = (attempt: number): number =>
  Math.min((attempt - steadyAttempts) * longestPauseMs, longestContractPauseMs)

/**
 * A contract request without an answer is repeated after the delays of LENDER-01. From the 61st attempt on, each delay
 * is one minute longer than the one before, up to one day, so that nothing is repeated forever at a constant pace. A
 * delay is never shorter than the one that the lender states, up to one day.
 * @rule PROP-12
 */
export const contractRetryDelayMs = (id: string, attempt: number, retry_after_ms: number = 0): number =>
  Math.max(
    retryDelayMs(id, attempt),
    grownDelayMs(attempt),
    Math.min(retry_after_ms, longestContractPauseMs)
  )

const longestFailureDelayMs = 10_000

/**
 * A job that failed runs again after a delay that doubles with each failure in a row, from 400 ms to 10 seconds, minus
 * a jitter of up to half. From the 61st failure in a row on, the delay of a contract grows as in PROP-12, because no
 * deadline ends its job. Failures never end a job; only an outcome does. A job fails if the database is not available,
 * or because of a defect.
 * @rule JOB-01
 */
export const failureDelayMs = (id: string, failures: number, kind: Job["kind"] = "quote"): number =>
  Math.max(backOff(id, failures, longestFailureDelayMs), kind === "contract" ? grownDelayMs(failures) : 0)

/** From this failure in a row on, a failure is logged as an error. */
export const alarmingFailures = 10

/**
 * A postponed call does not count as an attempt, and changes only the time of the next run. A job that must wait for
 * its reserved time runs again at that time, and keeps its place in the queue. A job that the lender throttled runs
 * again after the delay that the lender states. In the job of a contract, the delay also grows with the number of
 * earlier delays, as in PROP-12, because no deadline ends this job.
 * @rule JOB-04
 */
export const outcomeOfPostponed = (
  { id, kind }: Pick<Job, "id" | "kind">,
  progress: JobProgress,
  { after_ms, reason, slot_at }: Pick<CallPostponed, "after_ms" | "reason" | "slot_at">
): Extract<JobOutcome, { readonly _tag: "RETRY" }> => {
  if (reason === "NO_SLOT") return { _tag: "RETRY", after_ms: after_ms ?? 0, progress: { ...progress, slot_at } }
  const pauses = progress.pauses + 1
  const throttled_ms = throttledDelayMs(id, pauses, after_ms)
  return {
    _tag: "RETRY",
    after_ms: kind === "contract" ? contractRetryDelayMs(id, pauses, throttled_ms) : throttled_ms,
    progress: { ...progress, pauses }
  }
}
