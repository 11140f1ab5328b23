import { type Quote } from "../offer/Quote.ts"
import { type QuotePart } from "../offer/QuotePart.ts"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { mostHopeful, type RejectionCode, type RejectionReason } from "../offer/RejectionReason.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { type PostponedLender } from "./LoanCommand.ts"
import {
  type LenderAsked,
  type LenderFailed,
  type LenderPostponed,
  type LenderSkipped,
  type QuoteCompleted,
  type QuoteFailed,
  type QuoteRejected
} from "./LoanEvent.ts"
import { hasPart, mergeOffers, partAt, partsOf, withPart } from "./quoteParts.ts"

/** The events with which a quote continues after a lender's answer, or after a waiting time. */
export type QuoteProgress = LenderAsked | LenderSkipped | QuoteCompleted | QuoteFailed | QuoteRejected

/** The codes of the rejections that hold at every lender (QUOTE-05). */
const generalCodes: ReadonlySet<RejectionCode> = new Set([
  "NO_BALANCE",
  "NOT_OPTED_IN",
  "OPT_OUT_IN_PROGRESS",
  "OPT_IN_WAITING_PERIOD",
  "BIRTHDAY_WINDOW",
  "NO_FGTS_ACCOUNT",
  "BIRTH_DATE_MISMATCH"
])

/**
 * A rejection holds at every lender if it states a fact of the customer or of the FGTS account: no balance, no opt-in,
 * an opt-out in progress, the waiting period after the opt-in, the birthday window, no account, or a wrong birth date.
 * @rule QUOTE-05
 */
export const holdsAtEveryLender = ({ code }: Pick<RejectionReason, "code">): boolean => generalCodes.has(code)

const noAnswer = rejectionByLastro("NO_ANSWER")

/**
 * Returns the rejections of the lenders, in the order of the routing. A lender without an answer counts as
 * UPSTREAM_UNAVAILABLE.
 */
const rejectionsOf = (parts: ReadonlyArray<QuotePart>): ReadonlyArray<RejectionReason> =>
  parts.flatMap(({ outcome, rejection }) => {
    if (outcome === "REJECTED" && rejection !== null) return [rejection]
    return outcome === "FAILED" ? [noAnswer] : []
  })

/**
 * If no lender has an offer, the quote gets the first rejection that holds at every lender. Without such a rejection,
 * it gets the most hopeful one (FGTS-43). Equal ones are taken in the order of the routing. A lender without an answer
 * counts as UPSTREAM_UNAVAILABLE. The quote fails only if no requested lender answered.
 * @rule QUOTE-06
 */
export const rejectionOfParts = (parts: ReadonlyArray<QuotePart>): RejectionReason | null => {
  const rejections = rejectionsOf(parts)
  const general = rejections.find(holdsAtEveryLender)
  if (general !== undefined) return general
  const hasAnswer = parts.some(({ outcome }) => outcome === "REJECTED")
  return hasAnswer ? mostHopeful(rejections) ?? null : null
}

/** Returns the end of the waiting time of a quote for all its lenders. */
const patienceEnd = ({ created_at, routing }: Quote): Timestamp => addMillis(created_at, routing?.patience_ms ?? 0)

/** Returns the quote part of the lender that was requested last. Lenders are requested in the order of the routing. */
const lastAsked = (quote: Quote): QuotePart | undefined => partsOf(quote).findLast(({ asked_at }) => asked_at !== null)

/** Returns the end of the waiting time for the lender that was requested last. */
const lastPatienceEnd = (quote: Quote): Timestamp =>
  addMillis(lastAsked(quote)?.asked_at ?? quote.created_at, quote.routing?.patience_ms ?? 0)

/** Returns whether a pending quote waits for a lender. */
type IsAwaited = (code: string) => boolean

const everyLender: IsAwaited = () => true

const isPendingAndAwaited = ({ lender, outcome, postponed_until }: QuotePart, isAwaited: IsAwaited): boolean =>
  outcome === "PENDING" && postponed_until === undefined && isAwaited(lender.code)

/**
 * A pending lender is not awaited if its next request is after the waiting time for it. The reason can be a long
 * `Retry-After`. A lender that answered PENDING is still awaited, because it can call back earlier. The lender can still
 * add offers later (QUOTE-11). `until` is the time of the next request.
 * @rule QUOTE-15
 */
export const outlastsPatience = (quote: Quote, code: string, at: Timestamp, until: Timestamp): boolean => {
  const { outcome, routing } = quote
  const part = partAt(quote, code)
  if (outcome !== "PENDING" || routing === undefined) return false
  if (part?.outcome !== "PENDING" || part.asked_at === null) return false
  const end = addMillis(part.asked_at, routing.patience_ms)
  return at < end && until >= end
}

/** Returns the event that postpones a lender (QUOTE-15), unless it is postponed already. */
export const postpone = (
  quote: Quote,
  at: Timestamp,
  { lender, until }: PostponedLender
): ReadonlyArray<LenderPostponed> =>
  outlastsPatience(quote, lender, at, until) && partAt(quote, lender)?.postponed_until === undefined
    ? [{ _tag: "LenderPostponed", at, lender, until }]
    : []

/**
 * With ALL, a quote that has an offer is completed when no lender is pending, or when its waiting time has passed. With
 * FIRST, a quote is completed at the first offers. A pending lender is not awaited while its circuit breaker withholds
 * calls, or while it is postponed (QUOTE-15). It can still add offers later (QUOTE-11).
 * @rule QUOTE-07
 */
export const isCompleted = (quote: Quote, at: Timestamp, isAwaited: IsAwaited = everyLender): boolean => {
  if (!hasPart(quote, "COMPLETED")) return false
  return quote.routing?.strategy === "FIRST" || at >= patienceEnd(quote) ||
    !partsOf(quote).some((part) => isPendingAndAwaited(part, isAwaited))
}

/**
 * With FIRST, the next lender is requested when the last requested lender has no offer, or when the waiting time for it
 * has passed. Earlier lenders can still be pending. The last requested lender is not awaited while its circuit breaker
 * withholds calls, or while it is postponed (QUOTE-15).
 * @rule QUOTE-08
 */
export const nextLender = (
  quote: Quote,
  at: Timestamp,
  isAwaited: IsAwaited = everyLender
): QuotePart | undefined => {
  const last = lastAsked(quote)
  const isDue = at >= lastPatienceEnd(quote) || last === undefined || !isPendingAndAwaited(last, isAwaited)
  return isDue ? partsOf(quote).find(({ outcome }) => outcome === "WAITING") : undefined
}

/**
 * A pending quote ends, its next lender is requested, or it waits. The first of these steps that is possible is taken:
 *
 * - It is completed (QUOTE-07).
 * - The next lender is requested (QUOTE-08). A lender that no longer gets quote requests is skipped. After a rejection
 *   that holds at every lender, no further lender is requested.
 * - It waits, while a lender is pending. After a rejection that holds at every lender, it waits only until its waiting
 *   time has passed, and only for lenders that it awaits (QUOTE-07).
 * - It is rejected, or failed if no lender gave a reason.
 *
 * Returns the events.
 * @rule QUOTE-09
 */
export const continueQuote = (
  quote: Quote,
  at: Timestamp,
  isCallable: (code: string) => boolean,
  isAwaited: IsAwaited = everyLender
): ReadonlyArray<QuoteProgress> => {
  if (quote.outcome !== "PENDING" || quote.routing === undefined) return []
  const { blocked_until, unpriced } = quote
  const block = blocked_until === undefined ? {} : { blocked_until }
  const parts = partsOf(quote)
  if (isCompleted(quote, at, isAwaited)) {
    const offers = mergeOffers(quote, parts.flatMap(({ held = [] }) => held))
    return [{ _tag: "QuoteCompleted", at, offers, unpriced, unlawful: [], ...block }]
  }
  const isRejectedEverywhere = rejectionsOf(parts).some(holdsAtEveryLender)
  const next = isRejectedEverywhere ? undefined : nextLender(quote, at, isAwaited)
  if (next !== undefined) {
    const { code } = next.lender
    if (isCallable(code)) return [{ _tag: "LenderAsked", at, lender: code }]
    const skipped = withPart(quote, code, { outcome: "SKIPPED", completed_at: at })
    return [{ _tag: "LenderSkipped", at, lender: code }, ...continueQuote(skipped, at, isCallable, isAwaited)]
  }
  const isWaiting = isRejectedEverywhere
    ? parts.some((part) => isPendingAndAwaited(part, isAwaited)) && at < patienceEnd(quote)
    : hasPart(quote, "PENDING") || hasPart(quote, "WAITING")
  if (isWaiting) return []
  const rejection = rejectionOfParts(parts)
  return rejection === null
    ? [{ _tag: "QuoteFailed", at, rejection: noAnswer }]
    : [{ _tag: "QuoteRejected", at, rejection, unpriced, unlawful: [], ...block }]
}

/** Time for which a lender can still add offers to a completed quote, in milliseconds: 10 minutes. */
const latePartMs = 10 * 60_000

/**
 * After a quote is completed, its pending lenders have 10 more minutes. Returns null while the quote is pending,
 * because the deadlines of LENDER-12 then apply.
 * @rule QUOTE-11
 */
export const lateDeadline = ({ completed_at, outcome }: Quote): Timestamp | null =>
  outcome === "PENDING" || completed_at === null ? null : addMillis(completed_at, latePartMs)

/**
 * Returns the time until which pending lenders can add offers to a completed quote. Null if no lender is pending, and
 * while the quote itself is pending.
 */
export const openUntil = (quote: Quote): Timestamp | null =>
  quote.routing !== undefined && hasPart(quote, "PENDING") ? lateDeadline(quote) : null

/**
 * Returns the time at which a pending lender fails without an answer. `deadline_ms` is the longest deadline of a job.
 */
const partEnd = (quote: Quote, { asked_at }: QuotePart, deadline_ms: number): Timestamp =>
  lateDeadline(quote) ?? addMillis(asked_at ?? quote.created_at, deadline_ms)

/**
 * A pending lender of a completed quote fails at its deadline (QUOTE-11), even if its job waits longer. A pending
 * lender of a pending quote fails after the longest deadline, even if its job does not run. So no application stays
 * QUOTING forever.
 * @rule QUOTE-13
 */
export const failOverdue = (quote: Quote, at: Timestamp, deadline_ms: number): ReadonlyArray<LenderFailed> =>
  quote.routing === undefined ? [] : partsOf(quote)
    .filter((part) => part.outcome === "PENDING" && at >= partEnd(quote, part, deadline_ms))
    .map(({ lender: { code } }) => ({ _tag: "LenderFailed", at, lender: code, rejection: noAnswer }))

/**
 * Without another answer, a quote changes when a waiting time ends or a pending lender fails. Returns the next of these
 * times. Null if no lender is pending.
 * @rule QUOTE-10
 */
export const nextPatience = (quote: Quote, at: Timestamp, deadline_ms: number): Timestamp | null => {
  if (quote.routing === undefined) return null
  const ends = partsOf(quote)
    .filter(({ outcome }) => outcome === "PENDING")
    .map((part) => partEnd(quote, part, deadline_ms))
  const isPending = quote.outcome === "PENDING"
  const turns = isPending && hasPart(quote, "WAITING") ? [lastPatienceEnd(quote)] : []
  // A turn can be now: without patience, the waiting time for a lender ends at the time of its request.
  const nextTurns = turns.filter((end) => end >= at)
  const laterEnds = [...(isPending ? [patienceEnd(quote)] : []), ...ends].filter((end) => end > at)
  return [...nextTurns, ...laterEnds].toSorted()[0] ?? null
}
