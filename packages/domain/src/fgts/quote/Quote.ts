import { type QuoteId } from "../../id/QuoteId.ts"
import { type Centavos } from "../../money/Centavos.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type FeeTable, type Offer } from "./Offer.ts"
import { type RejectionReason } from "./RejectionReason.ts"

/** What the consumer wishes of a quote; `null` is no wish. */
export interface QuoteWish {
  /** The most instalments. */
  readonly max_installments: number | null
  /** The net amount that is enough. */
  readonly desired_amount: Centavos | null
}

/** A table of the lender that gave no offer, and why. */
export interface Unpriced {
  readonly table: FeeTable
  readonly rejection: RejectionReason
}

/** How a quote stands. That a newer one supersedes it follows from its number and is not kept. */
export type QuoteOutcome = "PENDING" | "COMPLETED" | "REJECTED" | "FAILED"

/** A quote as it is kept: the asynchronous pricing job, and what came of it. */
export interface Quote {
  readonly quote_id: QuoteId
  /** From 1, without gaps within an application. */
  readonly number: number
  readonly wish: QuoteWish
  readonly outcome: QuoteOutcome
  /** Best net first. */
  readonly offers: ReadonlyArray<Offer>
  readonly unpriced: ReadonlyArray<Unpriced>
  /** Why it was rejected or failed. */
  readonly rejection: RejectionReason | null
  readonly created_at: Timestamp
  readonly completed_at: Timestamp | null
}
