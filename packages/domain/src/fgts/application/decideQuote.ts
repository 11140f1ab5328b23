import { Result } from "effect"
import { type OfferId } from "../../id/OfferId.ts"
import { type QuoteId } from "../../id/QuoteId.ts"
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

/** How often an application is quoted at most: each quote is kept, and nobody compares a hundred. */
export const mostQuotes = 100

/** Milliseconds an offer lasts at most. */
export const offerLifetimeMs = 24 * 3_600_000

/** Asks for a newer quote. */
export interface RequestQuote {
  readonly _tag: "RequestQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly wish: QuoteWish
}

/** Brings what came of a quote: the lender's answer, or that it could not be asked. */
export interface RecordQuote {
  readonly _tag: "RecordQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly result: LenderQuotation | { readonly kind: "FAILED"; readonly rejection: RejectionReason }
  /** As many ids as there are offers. */
  readonly offer_ids: ReadonlyArray<OfferId>
}

/**
 * An application may be quoted anew while nothing was accepted: with offers, after they expired, after the lender could not
 * be asked, and after a refusal that may be asked again; a hundred times in all.
 * @rule FGTS-11
 */
export const isQuotable = (application: Application, at: Timestamp): boolean => {
  const { number, rejection } = latestQuote(application)
  if (number >= mostQuotes) return false
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
 * A new quote supersedes the older one and all its offers in one step; while one is pending there is no other.
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
 * What comes for a quote that is not pending any more, or not the latest, is dropped: it brings no offer back.
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
 * The best offer comes first: the greater net, and of equals the one whose table comes first.
 * @rule FGTS-14
 */
export const bestFirst = (offers: ReadonlyArray<LenderOffer>): ReadonlyArray<LenderOffer> =>
  offers.toSorted((one, other) =>
    other.terms.net_amount - one.terms.net_amount || (one.table.code < other.table.code ? -1 : 1)
  )

/**
 * An offer expires 24 hours after it was made, or at the midnight in America/Sao_Paulo that ends the policy it was made
 * under, or when the lender no longer stands by it, whichever comes first.
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
  const offers = bestFirst(result.offers).flatMap((offer, index): ReadonlyArray<Offer> => {
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

/** Why there is no offer at all: what the first table says speaks for all. */
const nothingPriced = ([first]: ReadonlyArray<Unpriced>): RejectionReason =>
  first?.rejection ?? rejectionReason("LENDER_POLICY", "The lender has no table for this customer.")
