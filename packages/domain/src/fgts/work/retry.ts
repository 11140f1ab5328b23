import { millisOf, type Timestamp } from "../../time/Timestamp.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { type Quote } from "../quote/Quote.ts"

/** Maximum number of attempts to get a quote. If the last attempt gets no answer, the quote fails. */
export const maxAttempts = 3

/** Time from the request of a quote to its deadline, in milliseconds: 10 minutes. */
export const quoteDeadlineMs = 10 * 60_000

const firstPauseMs = 400
const longestPauseMs = 60_000

/**
 * Returns a jitter between 0 and 1, computed from the attempt and from the random last digits of the job's id. The jitter differs between
 * jobs and between attempts.
 */
const jitterOf = (id: string, attempt: number): number => (Number.parseInt(id.slice(-8), 16) / 2 ** 32 * attempt) % 1

/** Returns a delay that doubles with each attempt up to `longest`, minus the jitter. */
const backOff = (id: string, attempt: number, longest: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(attempt - 1, 20), longest) * (1 - jitterOf(id, attempt) / 2)

/**
 * Retries back off exponentially, from 400 ms to one minute. Each job subtracts a jitter of up to half the delay, so that jobs that failed
 * together do not retry together.
 * @rule LENDER-01
 */
export const retryDelayMs = (id: string, attempt: number): number => backOff(id, attempt, longestPauseMs)

/**
 * Returns the delay before the next attempt of a quote. A delay that would end after the deadline is shortened to end at the deadline, when
 * the last attempt is made.
 */
export const quoteRetryDelayMs = (
  { created_at, quote_id }: Pick<Quote, "created_at" | "quote_id">,
  pauses: number,
  at: Timestamp
): number =>
  Math.min(retryDelayMs(quote_id, pauses), Math.max(millisOf(created_at) + quoteDeadlineMs - millisOf(at), 0))

/** A failed attempt to get a quote. */
export interface QuoteAttempt {
  readonly created_at: Timestamp
  /** Number of this attempt, starting at 1. Only attempts that called the lender are counted. */
  readonly attempt: number
  readonly failure: LenderUnavailable
}

/**
 * A quote fails after three attempts without an answer, or ten minutes after its request. A call that the open circuit breaker prevents
 * does not count as an attempt.
 * @rule LENDER-02
 */
export const isLastAttempt = ({ attempt, created_at, failure }: QuoteAttempt, at: Timestamp): boolean =>
  (failure.reason === "ASKED" && attempt >= maxAttempts) || millisOf(at) - millisOf(created_at) >= quoteDeadlineMs

const longestContractPauseMs = 24 * 3_600_000

/** Number of attempts of a contract request at the pace of LENDER-01, in about an hour. */
const steadyAttempts = 60

/**
 * A contract request without an answer is repeated after the delays of LENDER-01. From the 61st attempt on, each delay is one minute longer
 * than the one before, up to one day, so that nothing is repeated forever at a constant pace. A delay that the lender states is kept.
 * @rule PROP-12
 */
export const contractRetryDelayMs = (id: string, attempt: number, retry_after_ms: number = 0): number =>
  Math.max(
    retryDelayMs(id, attempt),
    Math.min((attempt - steadyAttempts) * longestPauseMs, longestContractPauseMs),
    retry_after_ms
  )

const longestFailureDelayMs = 10_000

/**
 * A job that failed runs again after a delay that doubles with each failure in a row, from 400 ms to 10 seconds, minus a jitter of up to half.
 * Only an outcome ends a job: no number of failures does. A job fails if the database is not available, or because of a defect.
 * @rule JOB-01
 */
export const failureDelayMs = (id: string, failures: number): number => backOff(id, failures, longestFailureDelayMs)

/** From this failure in a row on, a failure is logged as an error. */
export const alarmingFailures = 10
