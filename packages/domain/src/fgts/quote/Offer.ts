import { type OfferId } from "../../id/OfferId.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"

/** The lender's table of rates and fees that an offer was priced by. */
export interface FeeTable {
  readonly code: string
  readonly label: string
}

/** An offer as it is kept: what it costs never changes, and whether it is still available follows from other facts. */
export interface Offer {
  readonly offer_id: OfferId
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The version of the rule table it was judged by. */
  readonly policy: string
  /** The first instant at which it cannot be accepted any more. */
  readonly expires_at: Timestamp
}
