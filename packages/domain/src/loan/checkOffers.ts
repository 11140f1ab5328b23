import { Result } from "effect"
import { judgeLenderOffer, type OfferConditions } from "../offer/judgeLenderOffer.ts"
import { latestReleaseDay } from "../offer/judgeSchedule.ts"
import { type FinalQuotation, type LenderOffer } from "../offer/LenderOffer.ts"
import { type FeeTable, type Offer } from "../offer/Offer.ts"
import { type UnlawfulOffer } from "../offer/OfferFault.ts"
import { policyEnds, policyOn } from "../offer/Policy.ts"
import { type Quote, type Unpriced } from "../offer/Quote.ts"
import { saoPauloDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { type OfferId } from "../values/ids.ts"
import { type Percent } from "../values/Percent.ts"
import { millisOf, type Timestamp, timestampOf } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"

/** Maximum lifetime of an offer, in milliseconds: 24 hours. */
export const offerLifetimeMs = 24 * 3_600_000

/**
 * Offers are ordered by net amount, greatest first. Offers with equal net amounts are ordered by the code of their fee table.
 * @rule FGTS-14
 */
export const orderOffers = (offers: ReadonlyArray<LenderOffer>): ReadonlyArray<LenderOffer> =>
  offers.toSorted((one, other) =>
    other.terms.net_amount - one.terms.net_amount || (one.table.code < other.table.code ? -1 : 1)
  )

/**
 * An offer expires at the earliest of four times: 24 hours after the quote was completed, the end of the policy of the
 * quote (midnight in America/Sao_Paulo), the midnight in America/Sao_Paulo at which its first instalment falls due, and
 * the lender's `valid_until`.
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

/** The lender's answer to a quote, the time at which it arrived, and the operator's maximum rate at that time. */
export interface LenderAnswer {
  readonly at: Timestamp
  readonly result: FinalQuotation | { readonly kind: "FAILED" }
  /** The operator's maximum monthly rate. Default: no maximum. */
  readonly max_monthly_rate?: Percent | null
}

/** Returns the conditions that the offers of a lender's answer must meet. */
const offerConditions = (
  { customer }: Application,
  { created_at, wish }: Quote,
  { at, max_monthly_rate = null }: LenderAnswer
): OfferConditions => {
  const released_on = saoPauloDate(created_at)
  const released_by = latestReleaseDay(saoPauloDate(at))
  return { customer, released_on, released_by, policy: policyOn(released_on), wish, max_monthly_rate }
}

/** The fee table of an offer that breaks a rule, and the reason for its refusal. */
interface RefusedOffer {
  readonly table: FeeTable
  readonly reason: UnlawfulOffer
}

/** Returns the offers in a lender's answer to the latest quote that break a rule. A warning is logged for each of them. */
export const unlawfulOffers = (
  application: Application,
  answer: LenderAnswer
): ReadonlyArray<RefusedOffer> => {
  const { result } = answer
  if (result.kind !== "PRICED") return []
  const conditions = offerConditions(application, latestQuote(application), answer)
  return result.offers.flatMap(({ table, terms }) => {
    const judged = judgeLenderOffer(conditions, terms)
    return Result.isFailure(judged) ? [{ table, reason: judged.failure }] : []
  })
}

/**
 * Validates the offers in a lender's answer to the latest quote. Returns the valid offers, each with one of
 * `offer_ids`, and the fee tables without a valid offer.
 */
export const checkOffers = (
  application: Application,
  answer: LenderAnswer,
  offer_ids: ReadonlyArray<OfferId>
): { readonly offers: ReadonlyArray<Offer>; readonly unpriced: ReadonlyArray<Unpriced> } => {
  const { at, result } = answer
  if (result.kind !== "PRICED") return { offers: [], unpriced: [] }
  const quote = latestQuote(application)
  const conditions = offerConditions(application, quote, answer)
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
