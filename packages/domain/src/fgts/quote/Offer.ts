import { type OfferId } from "../../id/ids.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"

/** The lender's fee table of an offer. */
export interface FeeTable {
  readonly code: string
  readonly label: string
}

/** A stored offer. Its terms never change, and its status is derived. */
export interface Offer {
  readonly offer_id: OfferId
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The version of the policy it was judged by. */
  readonly policy: string
  /** From this instant on the offer cannot be accepted. */
  readonly expires_at: Timestamp
}
