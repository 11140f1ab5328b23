import { type Timestamp } from "../values/Timestamp.ts"
import { type FeeTable } from "./Offer.ts"
import { type PricedOffer } from "./PricedOffer.ts"
import { type Unpriced } from "./Quote.ts"
import { type RejectionReason } from "./RejectionReason.ts"

/** An offer of the lender, priced with one fee table. */
export interface LenderOffer {
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The time at which the offer expires; null if the lender sets no such time. */
  readonly valid_until: Timestamp | null
  /**
   * A text for the adapter of the lender, at most 2 048 characters. Lastro does not interpret it, and includes it when
   * the offer is submitted. It must not contain personal data. Absent or null if the lender needs none.
   */
  readonly lender_ref?: string | null
}

/** A final answer of the lender to a quote. PRICED: an offer or a rejection for each fee table. REFUSED: one rejection of the whole quote. */
export type FinalQuotation =
  | { readonly kind: "PRICED"; readonly offers: ReadonlyArray<LenderOffer>; readonly unpriced: ReadonlyArray<Unpriced> }
  | { readonly kind: "REFUSED"; readonly rejection: RejectionReason }
