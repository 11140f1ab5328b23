import { Result } from "effect"
import { judgeAnswer } from "../offer/judgeAnswer.ts"
import { type Quote, type Unpriced } from "../offer/Quote.ts"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { isRetryable, mostHopeful, type RejectionReason, withRetryTime } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { applicationStatus } from "./ApplicationStatus.ts"
import { continueQuote, failOverdue, postpone } from "./continueQuote.ts"
import { evolve } from "./evolve.ts"
import { type PassPatience, type RecordQuote, type RequestQuote } from "./LoanCommand.ts"
import { type LoanEvent, type QuoteCompleted, type QuoteRejected } from "./LoanEvent.ts"
import { ApplicationNotQuotable, QuoteInProgress } from "./LoanRefusals.ts"
import { hasPart, partAt } from "./quoteParts.ts"

/** Maximum number of quotes of an application, because every quote is stored. */
export const maxQuotes = 100

/**
 * An application of a deleted partner gets no new quote. The quote would be unfinished work of a partner that no longer
 * exists. An offer that was made before the deletion can still be accepted until it expires.
 * @rule FGTS-48
 */
export const hasPartner = ({ partner_deleted_at }: Application): boolean => partner_deleted_at === null

/**
 * A new quote can be requested until an offer is accepted: while offers are available, after they have expired, after a
 * failed quote, and after a retryable rejection. An application has at most 100 quotes. An application of a deleted
 * partner cannot be quoted again.
 * @rule FGTS-11
 */
export const isQuotable = (application: Application, at: Timestamp): boolean => {
  const { number, rejection } = latestQuote(application)
  if (number >= maxQuotes || !hasPartner(application)) return false
  switch (applicationStatus(application, at)) {
    case "QUOTED":
    case "EXPIRED":
    case "QUOTE_FAILED":
      return true
    case "REJECTED":
      return rejection !== null && isRetryable(rejection, at)
    case "QUOTING":
    case "CONTRACTING":
    case "CONTRACTED":
    case "REFUNDING":
    case "CANCELLED":
      return false
  }
}

/**
 * A new quote supersedes the previous quote and all offers of that quote atomically. While a quote is pending, no other
 * quote can be requested.
 * @rule FGTS-12
 */
export const decideRequestQuote = (
  { _tag, ...request }: RequestQuote,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, QuoteInProgress | ApplicationNotQuotable> => {
  if (applicationStatus(application, request.at) === "QUOTING") return Result.fail(new QuoteInProgress())
  return isQuotable(application, request.at)
    ? Result.succeed([{ _tag: "QuoteRequested", ...request }])
    : Result.fail(new ApplicationNotQuotable())
}

const everyLender = () => true

const callableOf = (callable: ReadonlyArray<string> | undefined): (code: string) => boolean =>
  callable === undefined ? everyLender : (code) => callable.includes(code)

const awaitedOf = (withheld: ReadonlyArray<string> = []) => (code: string): boolean => !withheld.includes(code)

/**
 * The result of a lender is ignored if the lender is no longer pending, or if its quote is not the latest. A late
 * result therefore never makes superseded offers available again. After the result, the quote continues (QUOTE-09).
 * Offers that arrive after the quote was completed are added to it, until an offer is accepted.
 * @rule FGTS-13
 */
export const decideRecordQuote = (command: RecordQuote, application: Application): ReadonlyArray<LoanEvent> => {
  const quote = latestQuote(application)
  const { at, callable, lender, quote_id, withheld } = command
  const part = partAt(quote, lender)
  if (quote.quote_id !== quote_id || part?.outcome !== "PENDING") return []
  const judged = judgeResult(command, application, quote)
  if (quote.routing === undefined) return [quoteEvent(at, judged)]
  const { code } = part.lender
  const event = partEvent(at, code, judged)
  const after = evolve(application, event)
  return [event, ...continueQuote(latestQuote(after), at, callableOf(callable), awaitedOf(withheld))]
}

/**
 * The end of the waiting time of a quote fails its overdue lenders (QUOTE-13), and continues a pending quote (QUOTE-09).
 * So does the postponement of a lender (QUOTE-15).
 * @rule QUOTE-12
 */
export const decidePassPatience = (
  { at, callable, deadline_ms, postponed, quote_id, withheld }: PassPatience,
  application: Application
): ReadonlyArray<LoanEvent> => {
  const quote = latestQuote(application)
  if (quote.quote_id !== quote_id) return []
  const events = [
    ...failOverdue(quote, at, deadline_ms),
    ...(postponed === undefined ? [] : postpone(quote, at, postponed))
  ]
  const after = events.reduce<Application>(evolve, application)
  return [...events, ...continueQuote(latestQuote(after), at, callableOf(callable), awaitedOf(withheld))]
}

/**
 * Returns the events with which the operator fails one lender of a quote. The quote does not continue while lenders wait
 * for their turn, because the routing of the partner decides which of them can be requested (QUOTE-12).
 */
export const failPart = (
  application: Application,
  at: Timestamp,
  lender: string | undefined
): ReadonlyArray<LoanEvent> => {
  const events = decideRecordQuote({
    _tag: "RecordQuote",
    at,
    quote_id: latestQuote(application).quote_id,
    result: { kind: "FAILED", rejection: rejectionByLastro("NO_ANSWER") },
    offer_ids: [],
    max_monthly_rate: null,
    ...(lender === undefined ? {} : { lender })
  }, application)
  return hasPart(latestQuote(application), "WAITING") ? events.slice(0, 1) : events
}

type Judged =
  | { readonly kind: "FAILED"; readonly rejection: RejectionReason }
  | ({ readonly kind: "REJECTED" } & Omit<QuoteRejected, "_tag" | "at">)
  | ({ readonly kind: "OFFERED" } & Omit<QuoteCompleted, "_tag" | "at">)

const judgeResult = (command: RecordQuote, application: Application, quote: Quote): Judged => {
  const { at, blocked_until = null, is_known_customer = false, lender, offer_ids, result } = command
  const { max_monthly_rate, max_monthly_rate_above_policy } = command
  const blocked = blocked_until === null ? {} : { blocked_until }
  switch (result.kind) {
    case "FAILED":
      return { kind: "FAILED", rejection: result.rejection }
    case "REFUSED": {
      const rejection = withRetryTime(result.rejection, at)
      return { kind: "REJECTED", rejection, unpriced: [], unlawful: [], ...blocked }
    }
    case "PRICED": {
      const { offers, unlawful, unpriced } = judgeAnswer(application.customer, quote, {
        at,
        is_known_customer,
        lender,
        max_monthly_rate,
        max_monthly_rate_above_policy,
        offer_ids,
        result
      })
      return offers.length > 0
        ? { kind: "OFFERED", offers, unpriced, unlawful, ...blocked }
        : { kind: "REJECTED", rejection: rejectionWithoutOffers(unpriced), unpriced, unlawful, ...blocked }
    }
  }
}

const quoteEvent = (at: Timestamp, judged: Judged): LoanEvent => {
  switch (judged.kind) {
    case "FAILED":
      return { _tag: "QuoteFailed", at, rejection: judged.rejection }
    case "REJECTED": {
      const { kind: _, ...facts } = judged
      return { _tag: "QuoteRejected", at, ...facts }
    }
    case "OFFERED": {
      const { kind: _, ...facts } = judged
      return { _tag: "QuoteCompleted", at, ...facts }
    }
  }
}

const partEvent = (at: Timestamp, lender: string, judged: Judged): LoanEvent => {
  switch (judged.kind) {
    case "FAILED":
      return { _tag: "LenderFailed", at, lender, rejection: judged.rejection }
    case "REJECTED": {
      const { kind: _, ...facts } = judged
      return { _tag: "LenderRejected", at, lender, ...facts }
    }
    case "OFFERED": {
      const { kind: _, ...facts } = judged
      return { _tag: "LenderOffered", at, lender, ...facts }
    }
  }
}

/** Returns the rejection of a lender without offers, chosen from the rejections of its fee tables. */
const rejectionWithoutOffers = (unpriced: ReadonlyArray<Unpriced>): RejectionReason =>
  mostHopeful(unpriced.map(({ rejection }) => rejection)) ?? rejectionByLastro("NO_TABLE")
