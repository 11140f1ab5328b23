import { millisOf, type Timestamp } from "../../time/Timestamp.ts"
import { type LenderUnavailable } from "../lender/Lender.ts"
import { type Quote } from "../quote/Quote.ts"

/** How often a lender is asked for a quote before it counts as unreachable. */
export const mostAttempts = 3

/** Milliseconds from the wish for a quote until it fails in any case. */
export const quoteDeadlineMs = 10 * 60_000

const firstPauseMs = 400
const longestPauseMs = 60_000

/** A number between 0 and 1 that differs between works and attempts, read off the random end of the work's id. */
const jitterOf = (id: string, attempt: number): number => (Number.parseInt(id.slice(-8), 16) / 2 ** 32 * attempt) % 1

/**
 * Between two attempts the pause doubles from 400 ms up to a minute, of which each work takes off up to half, by its id: many
 * that failed together do not come back together.
 * @rule LENDER-01
 */
export const pauseMs = (id: string, attempt: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(attempt - 1, 20), longestPauseMs) * (1 - jitterOf(id, attempt) / 2)

/** The pause before a quote is asked for again; it ends at the quote's deadline, which is the time of the last attempt. */
export const quotePauseMs = (
  { created_at, quote_id }: Pick<Quote, "created_at" | "quote_id">,
  pauses: number,
  at: Timestamp
): number => Math.min(pauseMs(quote_id, pauses), Math.max(millisOf(created_at) + quoteDeadlineMs - millisOf(at), 0))

/** How far an attempt to quote got. */
export interface QuoteAttempt {
  readonly created_at: Timestamp
  /** From 1: attempts that reached for the lender. */
  readonly attempt: number
  readonly failure: LenderUnavailable
}

/**
 * A quote fails once the lender was asked three times without an answer, or ten minutes after it was wished for; while the
 * lender is not even asked, because it has been failing, no attempt is used up.
 * @rule LENDER-02
 */
export const isLastAttempt = ({ attempt, created_at, failure }: QuoteAttempt, at: Timestamp): boolean =>
  (failure.reason === "ASKED" && attempt >= mostAttempts) || millisOf(at) - millisOf(created_at) >= quoteDeadlineMs
