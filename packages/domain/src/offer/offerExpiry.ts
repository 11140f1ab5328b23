import { saoPauloDate } from "../values/CalendarDate.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { policyEnds, policyOn } from "./FgtsPolicy.ts"
import { pledgeableUntil } from "./nextWithdrawals.ts"
import { type Offer } from "./Offer.ts"
import { type LenderOffer, type Quote } from "./Quote.ts"

/** Maximum lifetime of an offer, in milliseconds: 24 hours. */
export const offerLifetimeMs = 24 * 3_600_000

/**
 * An offer expires at the earliest of four times.
 *
 * - 24 hours after the quote was completed
 * - the end of the policy of the quote, a midnight in America/Sao_Paulo
 * - the midnight from which its first instalment can no longer be pledged (`pledgeableUntil`)
 * - the lender's `valid_until`
 * @rule FGTS-15
 */
export const expiryOf = (
  quote: Pick<Quote, "created_at">,
  { terms, valid_until }: LenderOffer,
  at: Timestamp
): Timestamp =>
  [
    addMillis(at, offerLifetimeMs),
    policyEnds(policyOn(saoPauloDate(quote.created_at))),
    ...pledgeableUntil(terms.installments),
    valid_until
  ]
    .filter((end) => end !== null)
    .reduce((earliest, end) => end < earliest ? end : earliest)

/**
 * An offer is expired at its `expires_at` and at any later time.
 * @rule FGTS-06
 */
export const isExpired = ({ expires_at }: Pick<Offer, "expires_at">, at: Timestamp): boolean => expires_at <= at
