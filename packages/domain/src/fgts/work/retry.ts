import { millisOf, type Timestamp } from "../../time/Timestamp.ts"
import { type LenderUnavailable } from "../lender/Lender.ts"
import { type Quote } from "../quote/Quote.ts"

/** Maximum number of attempts of a quote before the lender counts as unreachable. */
export const maxAttempts = 3

/** Deadline of a quote after its request, in milliseconds: 10 minutes. */
export const quoteDeadlineMs = 10 * 60_000

const firstPauseMs = 400
const longestPauseMs = 60_000

/** Returns a jitter between 0 and 1 that differs between jobs and attempts, from the random end of the job's id. */
const jitterOf = (id: string, attempt: number): number => (Number.parseInt(id.slice(-8), 16) / 2 ** 32 * attempt) % 1

/**
 * Retries back off exponentially from 400 ms to one minute. Each job subtracts a jitter of up to half, so that jobs that failed together
 * do not retry together.
 * @rule LENDER-01
 */
export const retryDelayMs = (id: string, attempt: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(attempt - 1, 20), longestPauseMs) * (1 - jitterOf(id, attempt) / 2)

/** Returns the delay before the next attempt of a quote. It ends at the deadline at the latest, for a last attempt. */
export const quoteRetryDelayMs = (
  { created_at, quote_id }: Pick<Quote, "created_at" | "quote_id">,
  pauses: number,
  at: Timestamp
): number =>
  Math.min(retryDelayMs(quote_id, pauses), Math.max(millisOf(created_at) + quoteDeadlineMs - millisOf(at), 0))

/** A failed attempt of a quote. */
export interface QuoteAttempt {
  readonly created_at: Timestamp
  /** From 1: attempts that called the lender. */
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
