import { Result } from "effect"
import { judgeAnswer } from "../offer/judgeAnswer.ts"
import { type Unpriced } from "../offer/Quote.ts"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { isRetryable, mostHopeful, type RejectionReason, withRetryTime } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { applicationStatus } from "./ApplicationStatus.ts"
import { type RecordQuote, type RequestQuote } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { ApplicationNotQuotable, QuoteInProgress } from "./LoanRefusals.ts"

/** Maximum number of quotes of an application. Every quote is stored. */
export const maxQuotes = 100

/**
 * An application of a deleted partner gets no new quote, because the quote would be unfinished work of a partner that
 * no longer exists. An offer that was made before the partner was deleted can still be accepted until it expires.
 * @rule FGTS-48
 */
export const hasPartner = ({ partner_deleted_at }: Application): boolean => partner_deleted_at === null

/**
 * A new quote can be requested until an offer is accepted: while offers are available, after they have expired, after a
 * failed quote, and after a retryable rejection. An application has at most 100 quotes. The application of a deleted
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

/**
 * The result of a quote that is no longer pending, or no longer the latest, is ignored. A late result never makes
 * superseded offers available again.
 * @rule FGTS-13
 */
export const decideRecordQuote = (
  { _tag, at, blocked_until = null, is_known_customer = false, lender, offer_ids, quote_id, result, ...operator }:
    RecordQuote,
  application: Application
): ReadonlyArray<LoanEvent> => {
  const quote = latestQuote(application)
  if (quote.quote_id !== quote_id || quote.outcome !== "PENDING") return []
  const blocked = blocked_until === null ? {} : { blocked_until }
  switch (result.kind) {
    case "FAILED":
      return [{ _tag: "QuoteFailed", at, rejection: result.rejection }]
    case "REFUSED":
      return [{
        _tag: "QuoteRejected",
        at,
        rejection: withRetryTime(result.rejection, at),
        unpriced: [],
        unlawful: [],
        ...blocked
      }]
    case "PRICED": {
      const facts = { at, is_known_customer, lender, offer_ids, result, ...operator }
      const judged = judgeAnswer(application.customer, quote, facts)
      const { offers, unlawful, unpriced } = judged
      return offers.length > 0
        ? [{ _tag: "QuoteCompleted", at, offers, unpriced, unlawful, ...blocked }]
        : [{ _tag: "QuoteRejected", at, rejection: rejectionWithoutOffers(unpriced), unpriced, unlawful, ...blocked }]
    }
  }
}

/** Returns the rejection of a quote without offers, chosen from the rejections of its fee tables. */
const rejectionWithoutOffers = (unpriced: ReadonlyArray<Unpriced>): RejectionReason =>
  mostHopeful(unpriced.map(({ rejection }) => rejection)) ?? rejectionByLastro("NO_TABLE")
