import { Result } from "effect"
import { type OfferId, type QuoteId } from "../../id/ids.ts"
import { saoPauloDate } from "../../time/CalendarDate.ts"
import { millisOf, type Timestamp, timestampOf } from "../../time/Timestamp.ts"
import { type LenderOffer, type LenderQuotation } from "../lender/Lender.ts"
import { policyEnds, policyOn } from "../policy/Policy.ts"
import { judgeLenderOffer } from "../quote/judgeLenderOffer.ts"
import { type Offer } from "../quote/Offer.ts"
import { type Quote, type QuoteWish, type Unpriced } from "../quote/Quote.ts"
import { isRetryable, type RejectionReason, rejectionReason } from "../quote/RejectionReason.ts"
import { type Application, latestQuote } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { ApplicationNotQuotable, QuoteInProgress } from "./ApplicationRefusals.ts"
import { applicationStatus } from "./ApplicationStatus.ts"

/** Maximum number of quotes of an application. Every quote is stored. */
export const maxQuotes = 100

/** Maximum lifetime of an offer, in milliseconds: 24 hours. */
export const offerLifetimeMs = 24 * 3_600_000

/** The command to request a new quote. */
export interface RequestQuote {
  readonly _tag: "RequestQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly wish: QuoteWish
}

/** The command to record the result of a quote: the lender's answer, or that the lender was unreachable. */
export interface RecordQuote {
  readonly _tag: "RecordQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly result: LenderQuotation | { readonly kind: "FAILED"; readonly rejection: RejectionReason }
  /** One id for each offer. */
  readonly offer_ids: ReadonlyArray<OfferId>
}

/**
 * An application can be re-quoted until an offer is accepted: with offers available or expired, after a failed quote, and after a
 * retryable rejection. At most 100 quotes.
 * @rule FGTS-11
 */
export const isQuotable = (application: Application, at: Timestamp): boolean => {
  const { number, rejection } = latestQuote(application)
  if (number >= maxQuotes) return false
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
    case "CANCELLED":
      return false
  }
}

/**
 * A new quote supersedes the previous quote and all its offers in one step. It is refused while a quote is pending.
 * @rule FGTS-12
 */
export const decideRequestQuote = (
  application: Application,
  { at, quote_id, wish }: RequestQuote
): Result.Result<ReadonlyArray<ApplicationEvent>, QuoteInProgress | ApplicationNotQuotable> => {
  if (applicationStatus(application, at) === "QUOTING") return Result.fail(new QuoteInProgress())
  return isQuotable(application, at)
    ? Result.succeed([{ _tag: "QuoteRequested", at, quote_id, wish }])
    : Result.fail(new ApplicationNotQuotable())
}

/**
 * A result for a quote that is no longer pending, or not the latest, is dropped. It never brings offers back.
 * @rule FGTS-13
 */
export const decideRecordQuote = (
  application: Application,
  { at, offer_ids, quote_id, result }: RecordQuote
): ReadonlyArray<ApplicationEvent> => {
  const quote = latestQuote(application)
  if (quote.quote_id !== quote_id || quote.outcome !== "PENDING") return []
  if (result.kind !== "PRICED") {
    const outcome = result.kind === "FAILED" ? "FAILED" : "REJECTED"
    return [{ _tag: "QuoteRefused", at, outcome, rejection: result.rejection, unpriced: [] }]
  }
  const { offers, unpriced } = sifted(quote, result, offer_ids, at)
  return offers.length > 0
    ? [{ _tag: "QuoteCompleted", at, offers, unpriced }]
    : [{ _tag: "QuoteRefused", at, outcome: "REJECTED", rejection: nothingPriced(unpriced), unpriced }]
}

/**
 * Offers are ordered by net amount, greatest first. Ties keep the order of the lender's tables.
 * @rule FGTS-14
 */
export const orderOffers = (offers: ReadonlyArray<LenderOffer>): ReadonlyArray<LenderOffer> =>
  offers.toSorted((one, other) =>
    other.terms.net_amount - one.terms.net_amount || (one.table.code < other.table.code ? -1 : 1)
  )

/**
 * An offer expires at the earliest of: 24 hours after its quote, the end of its policy (midnight in America/Sao_Paulo), and the lender's
 * `valid_until`.
 * @rule FGTS-15
 */
export const expiryOf = (quote: Pick<Quote, "created_at">, { valid_until }: LenderOffer, at: Timestamp): Timestamp =>
  [timestampOf(millisOf(at) + offerLifetimeMs), policyEnds(policyOn(saoPauloDate(quote.created_at))), valid_until]
    .filter((end) => end !== null)
    .reduce((earliest, end) => end < earliest ? end : earliest)

const sifted = (
  quote: Quote,
  result: LenderQuotation & { readonly kind: "PRICED" },
  offer_ids: ReadonlyArray<OfferId>,
  at: Timestamp
): { readonly offers: ReadonlyArray<Offer>; readonly unpriced: ReadonlyArray<Unpriced> } => {
  const policy = policyOn(saoPauloDate(quote.created_at))
  const unpriced: Array<Unpriced> = [...result.unpriced]
  const offers = orderOffers(result.offers).flatMap((offer, index): ReadonlyArray<Offer> => {
    const judged = judgeLenderOffer(policy, quote.wish, offer.terms)
    const offer_id = offer_ids[index]
    if (Result.isFailure(judged)) unpriced.push({ table: offer.table, rejection: judged.failure })
    return Result.isFailure(judged) || offer_id === undefined ? [] : [{
      offer_id,
      table: offer.table,
      terms: offer.terms,
      policy: policy.version,
      expires_at: expiryOf(quote, offer, at)
    }]
  })
  return { offers, unpriced }
}

/** Returns the rejection when no table gave an offer: that of the first table. */
const nothingPriced = ([first]: ReadonlyArray<Unpriced>): RejectionReason =>
  first?.rejection ?? rejectionReason("LENDER_POLICY", "The lender has no table for this customer.")
