import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Offer } from "./Offer.ts"
import { type RejectionReason } from "./RejectionReason.ts"

/** The code of a lender, for programs, and its label, for people. */
export interface LenderName {
  readonly code: string
  readonly label: string
}

/**
 * The order in which a quote requests its lenders. ALL: all at the same time. FIRST: one after the other, until one has
 * an offer.
 */
export const quoteStrategies = ["ALL", "FIRST"] as const
/** The order in which a quote requests its lenders ({@link quoteStrategies}). */
export type QuoteStrategy = typeof quoteStrategies[number]

/** The strategy of a quote, and its waiting time for a slow lender. */
export interface QuoteRouting {
  readonly strategy: QuoteStrategy
  readonly patience_ms: number
  /** The codes of the lenders that the caller chose. Absent if it chose none. */
  readonly named?: ReadonlyArray<string>
}

/** A lender that a quote requests, and its KYC requirements. */
export interface QuotedLender {
  readonly lender: LenderName
  readonly requirements: KycRequirements
}

/**
 * The stored outcome of a quote part. WAITING: the lender has not been requested yet. SKIPPED: the lender is not
 * requested, or its answer is no longer needed.
 */
export type PartOutcome = "WAITING" | "PENDING" | "COMPLETED" | "REJECTED" | "FAILED" | "SKIPPED"

/** The part of a quote that concerns one lender. */
export interface QuotePart {
  readonly lender: LenderName
  readonly outcome: PartOutcome
  /** The reason why the lender has no offer; otherwise null. */
  readonly rejection: RejectionReason | null
  /** The time at which the lender was requested. Null before that. */
  readonly asked_at: Timestamp | null
  readonly completed_at: Timestamp | null
  /** The time of the next request, if it is after the waiting time for the lender (QUOTE-15). Otherwise absent. */
  readonly postponed_until?: Timestamp
  /** The lender's KYC requirements. Absent if they are those of the application. */
  readonly requirements?: KycRequirements
  /** The lender's offers while the quote is pending. After that, they are in the quote. */
  readonly held?: ReadonlyArray<Offer>
}
