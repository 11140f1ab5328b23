import { Result } from "effect"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type OfferId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type OperatorRate, policyInForce } from "./FgtsPolicy.ts"
import { judgeLenderOffer, type OfferConditions } from "./judgeLenderOffer.ts"
import { latestReleaseDay } from "./judgeSchedule.ts"
import { type FeeTable, type Offer } from "./Offer.ts"
import { expiryOf } from "./offerExpiry.ts"
import { type FinalQuotation, type LenderOffer, type Quote, type Unpriced } from "./Quote.ts"
import { withRetryTime } from "./RejectionReason.ts"

/**
 * Offers are ordered by net amount, greatest first, then by monthly CET, then by the code of their fee table.
 * @rule FGTS-14
 */
export const orderOffers = (offers: ReadonlyArray<LenderOffer>): ReadonlyArray<LenderOffer> =>
  offers.toSorted((a, b) =>
    b.terms.net_amount - a.terms.net_amount ||
    a.terms.monthly_cet - b.terms.monthly_cet ||
    (a.table.code < b.table.code ? -1 : 1)
  )

/** A lender's answer with prices, the time at which it arrived, and one id for each offer. */
export interface PricedAnswer extends OperatorRate {
  readonly at: Timestamp
  readonly result: Extract<FinalQuotation, { readonly kind: "PRICED" }>
  readonly offer_ids: ReadonlyArray<OfferId>
  /** The name of the lender. */
  readonly lender?: string | undefined
  /** True if the customer already had a paid contract at the lender (FGTS-58). */
  readonly is_known_customer: boolean
}

/** The fee table of an unlawful offer, the id of the broken rule, and the rule in words for the log. */
export interface UnlawfulTable {
  readonly table: FeeTable
  readonly rule: string
  readonly detail: string
}

/** A lender's answer with its lawful and its unlawful offers. */
export interface JudgedAnswer {
  readonly offers: ReadonlyArray<Offer>
  /** The fee tables without a lawful offer. */
  readonly unpriced: ReadonlyArray<Unpriced>
  readonly unlawful: ReadonlyArray<UnlawfulTable>
}

/** Separates the lawful offers in a lender's answer from the unlawful ones (LENDER-14). */
export const judgeAnswer = (
  customer: OfferConditions["customer"],
  quote: Quote,
  { at, is_known_customer, lender, offer_ids, result, ...operator }: PricedAnswer
): JudgedAnswer => {
  const released_on = saoPauloDate(quote.created_at)
  const released_by = latestReleaseDay(saoPauloDate(at))
  const policy = policyInForce(released_on, operator)
  const conditions = { customer, released_on, released_by, policy, wish: quote.wish, is_known_customer }
  const byLender = lender === undefined ? {} : { lender }
  const judged = orderOffers(result.offers).map((offer, index) => ({
    offer,
    offer_id: offer_ids[index],
    verdict: judgeLenderOffer(conditions, offer.terms, offer.table)
  }))
  const rejected = judged.flatMap(({ offer: { table }, verdict }) =>
    Result.isFailure(verdict) ? [{ table, fault: verdict.failure }] : []
  )
  return {
    offers: judged.flatMap(({ offer, offer_id, verdict }) => {
      if (Result.isFailure(verdict) || offer_id === undefined) return []
      const { lender_ref = null, table, terms } = offer
      const expires_at = expiryOf(quote, offer, at)
      const reference = lender_ref === null ? {} : { lender_ref }
      return [{ offer_id, table, terms, ...reference, ...byLender, policy: policy.version, expires_at }]
    }),
    unpriced: [
      ...result.unpriced.map(({ rejection, table }) => ({
        table,
        rejection: withRetryTime(rejection, at),
        ...byLender
      })),
      ...rejected.map(({ fault: { rejection }, table }) => ({ table, rejection, ...byLender }))
    ],
    unlawful: rejected.map(({ fault: { detail, rule }, table }) => ({ table, rule, detail }))
  }
}
