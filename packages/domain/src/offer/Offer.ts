import { type OfferId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PricedOffer } from "./PricedOffer.ts"

/** A fee table of the lender. */
export interface FeeTable {
  readonly code: string
  readonly label: string
}

/** A stored offer. Its terms never change, and its status is derived. */
export interface Offer {
  readonly offer_id: OfferId
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The lender's own reference of the offer, which is sent with the submission. Absent if the lender gave none. */
  readonly lender_ref?: string
  /** The version of the policy that the offer was checked against. */
  readonly policy: string
  /** The offer cannot be accepted at this time or later. */
  readonly expires_at: Timestamp
}

/**
 * An offer is expired at `expires_at` and at any later time.
 * @rule FGTS-06
 */
export const isExpired = ({ expires_at }: Pick<Offer, "expires_at">, at: Timestamp): boolean => expires_at <= at
