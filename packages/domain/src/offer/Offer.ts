import { type OfferId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PricedOffer } from "./PricedOffer.ts"

/**
 * The kinds of the fee in an offer. NONE: no fee. REGISTRATION: the fee for the start of the relationship with the
 * customer (tarifa de cadastro). OTHER: any other fee.
 */
export const feeKinds = ["NONE", "REGISTRATION", "OTHER"] as const
/** The kind of a fee: see {@link feeKinds}. */
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
  /** The lender's own reference of the offer, which is sent with the submission. Absent if the lender gave none. */
  readonly lender_ref?: string
  /** The name of the lender that made the offer. Absent if a version before this field stored the offer. */
  readonly lender?: string
  /** The version of the policy that the offer was checked against. */
  readonly policy: string
  /** The offer cannot be accepted at this time or later. */
  readonly expires_at: Timestamp
}

/**
 * The kind of a fee is the one that the lender states. If it states none, the kind is NONE for a fee of 0, and OTHER
 * for any other fee.
 * @rule FGTS-57
 */
export const feeKindOf = (
  { table: { fee_kind }, terms: { fee_amount } }: {
    readonly table: Pick<FeeTable, "fee_kind">
    readonly terms: Pick<PricedOffer, "fee_amount">
  }
): FeeKind => fee_kind ?? (fee_amount === 0 ? "NONE" : "OTHER")

/** Returns whether an offer has a registration fee above 0. */
export const hasRegistrationFee = (offer: Parameters<typeof feeKindOf>[0]): boolean =>
  offer.terms.fee_amount > 0 && feeKindOf(offer) === "REGISTRATION"
