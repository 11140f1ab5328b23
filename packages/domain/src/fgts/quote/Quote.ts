import { type QuoteId } from "../../id/ids.ts"
import { type Centavos } from "../../money/Centavos.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type FeeTable, type Offer } from "./Offer.ts"
import { type RejectionReason } from "./RejectionReason.ts"

/** The requested limits of a quote; `null` for none. */
export interface QuoteWish {
  /** Maximum number of instalments. */
  readonly max_installments: number | null
  /** Desired net amount. */
  readonly desired_amount: Centavos | null
}

/** A fee table that gave no offer, with the reason. */
export interface Unpriced {
  readonly table: FeeTable
  readonly rejection: RejectionReason
}

/** The stored outcome of a quote. SUPERSEDED is derived and not stored. */
export type QuoteOutcome = "PENDING" | "COMPLETED" | "REJECTED" | "FAILED"

/** A stored quote: the asynchronous pricing job and its outcome. */
export interface Quote {
  readonly quote_id: QuoteId
  /** From 1, without gaps. */
  readonly number: number
  readonly wish: QuoteWish
  readonly outcome: QuoteOutcome
  /** Greatest net amount first. */
  readonly offers: ReadonlyArray<Offer>
  readonly unpriced: ReadonlyArray<Unpriced>
  /** The reason why it was rejected or failed. */
  readonly rejection: RejectionReason | null
  readonly created_at: Timestamp
  readonly completed_at: Timestamp | null
}
