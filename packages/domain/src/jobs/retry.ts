import { type CallPostponed } from "../lender/callWithinLimits.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { type Quote } from "../offer/Quote.ts"
import { millisOf, type Timestamp } from "../values/Timestamp.ts"
import { fractionOf } from "../values/Uuid.ts"
import { type Job, type JobOutcome, type JobProgress } from "./Job.ts"

/** Maximum number of attempts for a quote. It fails if the last attempt gets no answer. */
export const maxAttempts = 3

/** Time from the request of a quote to its deadline, in milliseconds: 10 minutes. */
export const quoteDeadlineMs = 10 * 60_000

const firstPauseMs = 400
const longestPauseMs = 60_000

/**
 * Returns a jitter from 0 to below 1, computed from the attempt and the job's id. It differs between jobs and between
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
 * A throttled call is repeated after the delay that the lender states (at most 15 minutes), or after one second by
 * default. A back-off of up to 10 seconds is added, so that the waiting jobs do not all return together.
 * @rule LENDER-07
 */
export const throttledDelayMs = (id: string, pauses: number, retry_after_ms: number | undefined): number =>
  Math.min(Math.max(retry_after_ms ?? defaultThrottleMs, 0), longestThrottleMs) +
  backOff(id, pauses, longestThrottleBackOffMs)

/**
 * Returns the delay before the next attempt of a quote. It is at least the delay that the lender states, up to 15
 * minutes. It never goes past the deadline, at which the last attempt is made.
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

/** Shortens a delay so that it does not go past the deadline of a quote. */
export const untilDeadline = (after_ms: number, created_at: Timestamp, at: Timestamp, deadline_ms: number): number =>
  Math.min(after_ms, Math.max(millisOf(created_at) + deadline_ms - millisOf(at), 0))

const shortestPendingMs = 1_000

/**
 * A quote that the lender answered PENDING is requested again at the time that the lender states, but after at least
 * one second and at the latest at its deadline.
 * @rule LENDER-06
 */
export const pendingDelayMs = (
  { look_at }: { readonly look_at: Timestamp },
  { created_at }: Pick<Quote, "created_at">,
  at: Timestamp,
  deadline_ms: number
): number => {
  const stated_ms = millisOf(look_at) - millisOf(at)
  // Unlike `Math.max`, this comparison also replaces NaN, the delay of a malformed `look_at`.
  const delay_ms = stated_ms > shortestPendingMs ? stated_ms : shortestPendingMs
  return untilDeadline(delay_ms, created_at, at, deadline_ms)
}

/**
 * The deadline of a quote is ten minutes after its request. After a PENDING answer, it is the deadline that the
 * operator sets: 24 hours by default.
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
  readonly failure: CountedFailure
  /** True if the lender has answered PENDING. Default: false. */
  readonly isPending?: boolean
  /** Time from the request of the quote to its deadline ({@link deadlineMsOf}). Default: ten minutes. */
  readonly deadline_ms?: number
}

/** The fields of a failure that determine whether it counts as an attempt. */
type CountedFailure = Pick<LenderUnavailable, "is_cause" | "reason">

/** Returns whether a failed call counts as an attempt. */
export const isAttempt = ({ is_cause = false, reason }: CountedFailure): boolean =>
  reason === "ASKED" || reason === "FORBIDDEN" || reason === "UNREACHED" || is_cause

/**
 * A call that the open circuit breaker withholds counts as an attempt only for a job whose own failed calls helped to
 * open the breaker. Any other job keeps its attempts, and runs again when the breaker allows a call.
 * @rule LENDER-25
 */
export const isOwnFailure = ({ is_cause }: CountedFailure): boolean => is_cause !== false

/**
 * A quote fails after three attempts without an answer, or at its deadline. Throttled calls do not count as attempts.
 * Calls that the circuit breaker withheld count only by LENDER-25. After a PENDING answer, the quote fails only at its
 * deadline.
 * @rule LENDER-02
 */
export const isLastAttempt = (
  { attempt, created_at, deadline_ms = quoteDeadlineMs, failure, isPending = false }: QuoteAttempt,
  at: Timestamp
): boolean =>
  (!isPending && isAttempt(failure) && attempt >= maxAttempts) || millisOf(at) - millisOf(created_at) >= deadline_ms

const longestContractPauseMs = 24 * 3_600_000

/** Number of attempts of a contract request with the delays of LENDER-01, which together take about an hour. */
const steadyAttempts = 60

/**
 * Returns a delay that grows by one minute with each attempt after the 60th, up to one day. Not positive for earlier
 * attempts.
 */
const grownDelayMs = (attempt: number): number =>
  Math.min((attempt - steadyAttempts) * longestPauseMs, longestContractPauseMs)

/**
 * A contract request without an answer is repeated after the delays of LENDER-01. From the 61st attempt on, each delay
 * is one minute longer than the last one, up to one day, so that nothing is repeated forever at a constant rate. A
 * delay is at least the one that the lender states, up to one day.
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
 * A failed job runs again after a delay that doubles with each consecutive failure, from 400 ms to 10 seconds, minus a
 * jitter of up to half. A job fails if the database is not available, or because of a defect. Failures never end a job.
 * The job of a contract has no deadline, so from the 61st failure on its delay grows as in PROP-12.
 * @rule JOB-01
 */
export const failureDelayMs = (id: string, failures: number, kind: Job["kind"] = "quote"): number =>
  Math.max(backOff(id, failures, longestFailureDelayMs), kind === "contract" ? grownDelayMs(failures) : 0)

/** From this consecutive failure on, a failure is logged as an error. */
export const alarmingFailures = 10

/**
 * A postponed call does not count as an attempt, and changes only the time of the next run. If the throttle has
 * reserved a time, the job runs again at that time and keeps its turn. If the lender throttled the call, the job runs
 * again after the delay that the lender states. The job of a contract has no deadline, so its delay also grows with the
 * number of earlier delays, as in PROP-12.
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
