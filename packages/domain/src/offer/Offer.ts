import { type OfferId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PricedOffer } from "./PricedOffer.ts"

/**
 * The kinds of the fee in an offer. NONE: no fee. REGISTRATION: the fee for the start of the relationship with the
 * customer (tarifa de cadastro). OTHER: any other fee.
 */
export const feeKinds = ["NONE", "REGISTRATION", "OTHER"] as const
/** The kind of a fee ({@link feeKinds}). */
export type FeeKind = typeof feeKinds[number]

/** A fee table of the lender. */
export interface FeeTable {
  readonly code: string
  readonly label: string
  /** The kind of the fee, as the lender states it. Absent if the lender states none. */
  readonly fee_kind?: FeeKind
}

/** A stored offer. Its terms never change, and its status is derived. */
export interface Offer {
  readonly offer_id: OfferId
  readonly table: FeeTable
  readonly terms: PricedOffer
  /**
   * The lender's own reference of the offer. It is sent to the lender with the submission. Absent if the lender gave
   * none.
   */
  readonly lender_ref?: string
  /** The name of the lender that made the offer. Absent in offers stored before this field existed. */
  readonly lender?: string
  /** The version of the policy against which the offer was checked. */
  readonly policy: string
  /** From this time on, the offer cannot be accepted. */
  readonly expires_at: Timestamp
}

/**
 * The kind of a fee is the one that the lender states. By default, a fee of 0 is NONE, and any other fee is OTHER.
 * @rule FGTS-57
 */
export const feeKindOf = (
  { table: { fee_kind }, terms: { fee_amount } }: {
    readonly table: Pick<FeeTable, "fee_kind">
    readonly terms: Pick<PricedOffer, "fee_amount">
  }
): FeeKind => fee_kind ?? (fee_amount === 0 ? "NONE" : "OTHER")

export const hasRegistrationFee = (offer: Parameters<typeof feeKindOf>[0]): boolean =>
  offer.terms.fee_amount > 0 && feeKindOf(offer) === "REGISTRATION"
