import { type CalendarDate } from "../values/CalendarDate.ts"
import { type Centavos } from "../values/Centavos.ts"
import { type QuoteId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type FeeTable, type Offer } from "./Offer.ts"
import { type PricedOffer } from "./PricedOffer.ts"
import { type QuotePart, type QuoteRouting } from "./QuotePart.ts"
import { type RejectionReason } from "./RejectionReason.ts"

/** The caller's limits for a quote. `null` means no limit. */
export interface QuoteWish {
  /** Maximum number of instalments. */
  readonly max_installments: number | null
  /** Desired net amount. */
  readonly desired_amount: Centavos | null
}

/** A fee table without an offer, and the reason why it has none. */
export interface Unpriced {
  readonly table: FeeTable
  readonly rejection: RejectionReason
  /** The code of the lender. Absent in records stored before this field existed. */
  readonly lender?: string
}

/** The stored outcome of a quote. The status SUPERSEDED is derived, not stored. */
export type QuoteOutcome = "PENDING" | "COMPLETED" | "REJECTED" | "FAILED"

/** A stored quote: one request for offers, and its outcome. */
export interface Quote {
  readonly quote_id: QuoteId
  /** Number of the quote within its application, starting at 1, without gaps. */
  readonly number: number
  readonly wish: QuoteWish
  readonly outcome: QuoteOutcome
  /** In the order of FGTS-14. */
  readonly offers: ReadonlyArray<Offer>
  readonly unpriced: ReadonlyArray<Unpriced>
  /** The reason why the quote was rejected or failed; otherwise null. */
  readonly rejection: RejectionReason | null
  readonly created_at: Timestamp
  readonly completed_at: Timestamp | null
  /**
   * The first day on which no other contract blocks an acceptance, as of the lender's answer (FGTS-62). Absent if none
   * blocks it.
   */
  readonly blocked_until?: CalendarDate
  /**
   * One part for each lender, in the order of the routing. Absent in quotes stored before this field existed, which
   * have one part (`partsOf`).
   */
  readonly parts?: ReadonlyArray<QuotePart>
  /** Absent if the installation was composed with one `Lender`. */
  readonly routing?: QuoteRouting
}

/** An offer of the lender, priced with one of its fee tables. */
export interface LenderOffer {
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The time at which the offer expires. Null if the lender states none. */
  readonly valid_until: Timestamp | null
  /**
   * A text for the adapter of the lender, at most 2 048 characters, without personal data. Lastro does not interpret
   * it, and sends it back with the submission. Absent or null if the lender needs none.
   */
  readonly lender_ref?: string | null
}

/**
 * The lender's final answer to a quote. PRICED: an offer or a rejection for each fee table. REFUSED: one rejection of
 * the whole quote.
 */
export type FinalQuotation =
  | { readonly kind: "PRICED"; readonly offers: ReadonlyArray<LenderOffer>; readonly unpriced: ReadonlyArray<Unpriced> }
  | { readonly kind: "REFUSED"; readonly rejection: RejectionReason }
