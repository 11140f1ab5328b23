import { Result } from "effect"
import { type OfferId, type QuoteId } from "../../id/ids.ts"
import { type Percent } from "../../money/Percent.ts"
import { saoPauloDate, saoPauloMidnight } from "../../time/CalendarDate.ts"
import { millisOf, type Timestamp, timestampOf } from "../../time/Timestamp.ts"
import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type FinalQuotation, type LenderOffer } from "../lender/Lender.ts"
import { policyEnds, policyOn } from "../policy/Policy.ts"
import { judgeLenderOffer, type OfferConditions } from "../quote/judgeLenderOffer.ts"
import { mostHopeful } from "../quote/mostHopeful.ts"
import { type FeeTable, type Offer } from "../quote/Offer.ts"
import { type UnlawfulOffer } from "../quote/OfferFault.ts"
import { type Quote, type QuoteWish, type Unpriced } from "../quote/Quote.ts"
import { rejectionByLastro } from "../quote/rejectionByLastro.ts"
import { isRetryable, type RejectionReason } from "../quote/RejectionReason.ts"
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
  /** The present requirements of the lender for the KYC. Absent: those of the application stay. */
  readonly requirements?: KycRequirements
}

/** The command to record the result of a quote: the lender's answer, or a failure if the lender was unreachable. */
export interface RecordQuote {
  readonly _tag: "RecordQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly result: FinalQuotation | { readonly kind: "FAILED"; readonly rejection: RejectionReason }
  /** One id for each offer. */
  readonly offer_ids: ReadonlyArray<OfferId>
  /** The operator's maximum monthly rate. Default: no maximum. */
  readonly max_monthly_rate?: Percent | null
}

/**
 * A deleted partner gets no new quotes: a quote would be unfinished work of a partner that no longer exists. An offer that was made before the
 * partner was deleted can still be accepted until it expires.
 * @rule FGTS-48
 */
export const hasPartner = ({ partner_deleted_at }: Application): boolean => partner_deleted_at === undefined

/**
 * A new quote can be requested until an offer is accepted: while offers are available, after they have expired, after a failed quote, and
 * after a retryable rejection. An application has at most 100 quotes. The application of a deleted partner cannot be quoted again.
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
 * A new quote supersedes the previous quote and all offers of that quote atomically. While a quote is pending, no other quote can be
 * requested.
 * @rule FGTS-12
 */
export const decideRequestQuote = (
  application: Application,
  { _tag, ...request }: RequestQuote
): Result.Result<ReadonlyArray<ApplicationEvent>, QuoteInProgress | ApplicationNotQuotable> => {
  if (applicationStatus(application, request.at) === "QUOTING") return Result.fail(new QuoteInProgress())
  return isQuotable(application, request.at)
    ? Result.succeed([{ _tag: "QuoteRequested", ...request }])
    : Result.fail(new ApplicationNotQuotable())
}

/**
 * The result of a quote that is no longer pending, or no longer the latest, is ignored. A late result never makes superseded offers
 * available again.
 * @rule FGTS-13
 */
export const decideRecordQuote = (
  application: Application,
  { at, max_monthly_rate = null, offer_ids, quote_id, result }: RecordQuote
): ReadonlyArray<ApplicationEvent> => {
  const quote = latestQuote(application)
  if (quote.quote_id !== quote_id || quote.outcome !== "PENDING") return []
  if (result.kind !== "PRICED") {
    const outcome = result.kind === "FAILED" ? "FAILED" : "REJECTED"
    return [{ _tag: "QuoteRefused", at, outcome, rejection: result.rejection, unpriced: [] }]
  }
  const { offers, unpriced } = checkedOffers(
    offerConditions(application, quote, max_monthly_rate),
    quote,
    result,
    offer_ids,
    at
  )
  return offers.length > 0
    ? [{ _tag: "QuoteCompleted", at, offers, unpriced }]
    : [{ _tag: "QuoteRefused", at, outcome: "REJECTED", rejection: rejectionWithoutOffers(unpriced), unpriced }]
}

/**
 * Offers are ordered by net amount, greatest first. Offers with equal net amounts are ordered by the code of their fee table.
 * @rule FGTS-14
 */
export const orderOffers = (offers: ReadonlyArray<LenderOffer>): ReadonlyArray<LenderOffer> =>
  offers.toSorted((one, other) =>
    other.terms.net_amount - one.terms.net_amount || (one.table.code < other.table.code ? -1 : 1)
  )

/**
 * An offer expires at the earliest of four times: 24 hours after the quote was completed, the end of the policy of the quote (midnight in
 * America/Sao_Paulo), the midnight in America/Sao_Paulo at which its first instalment falls due, and the lender's `valid_until`.
 * @rule FGTS-15
 */
export const expiryOf = (
  quote: Pick<Quote, "created_at">,
  { terms, valid_until }: LenderOffer,
  at: Timestamp
): Timestamp =>
  [
    timestampOf(millisOf(at) + offerLifetimeMs),
    policyEnds(policyOn(saoPauloDate(quote.created_at))),
    ...terms.installments.slice(0, 1).map(({ due_date }) => saoPauloMidnight(due_date)),
    valid_until
  ]
    .filter((end) => end !== null)
    .reduce((earliest, end) => end < earliest ? end : earliest)

/** Returns the conditions that the offers of a quote must meet. */
const offerConditions = (
  { customer }: Application,
  { created_at, wish }: Quote,
  max_monthly_rate: Percent | null
): OfferConditions => {
  const released_on = saoPauloDate(created_at)
  return { customer, released_on, policy: policyOn(released_on), wish, max_monthly_rate }
}

/** An offer that breaks a rule, with its fee table. */
export interface RefusedOffer {
  readonly table: FeeTable
  readonly reason: UnlawfulOffer
}

/** Returns the unlawful offers of a lender's answer to the latest quote. The operator is warned of each of them. */
export const unlawfulOffers = (
  application: Application,
  result: RecordQuote["result"],
  max_monthly_rate: Percent | null = null
): ReadonlyArray<RefusedOffer> => {
  if (result.kind !== "PRICED") return []
  const conditions = offerConditions(application, latestQuote(application), max_monthly_rate)
  return result.offers.flatMap(({ table, terms }) => {
    const judged = judgeLenderOffer(conditions, terms)
    return Result.isFailure(judged) ? [{ table, reason: judged.failure }] : []
  })
}

const checkedOffers = (
  conditions: OfferConditions,
  quote: Quote,
  result: FinalQuotation & { readonly kind: "PRICED" },
  offer_ids: ReadonlyArray<OfferId>,
  at: Timestamp
): { readonly offers: ReadonlyArray<Offer>; readonly unpriced: ReadonlyArray<Unpriced> } => {
  const unpriced: Array<Unpriced> = [...result.unpriced]
  const offers = orderOffers(result.offers).flatMap((offer, index): ReadonlyArray<Offer> => {
    const judged = judgeLenderOffer(conditions, offer.terms)
    const offer_id = offer_ids[index]
    if (Result.isFailure(judged)) unpriced.push({ table: offer.table, rejection: judged.failure.rejection })
    return Result.isFailure(judged) || offer_id === undefined ? [] : [{
      offer_id,
      table: offer.table,
      terms: offer.terms,
      ...(offer.lender_ref === null || offer.lender_ref === undefined ? {} : { lender_ref: offer.lender_ref }),
      policy: conditions.policy.version,
      expires_at: expiryOf(quote, offer, at)
    }]
  })
  return { offers, unpriced }
}

/** Returns the rejection of a quote without offers. */
const rejectionWithoutOffers = (unpriced: ReadonlyArray<Unpriced>): RejectionReason =>
  mostHopeful(unpriced.map(({ rejection }) => rejection)) ?? rejectionByLastro("NO_TABLE")
