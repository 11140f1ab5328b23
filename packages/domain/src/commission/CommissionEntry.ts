import { Schema } from "effect"
import { field } from "../input/field.ts"
import { pageSchema } from "../input/Page.ts"
import { Amount } from "../values/Amount.ts"
import { CalendarDate } from "../values/CalendarDate.ts"
import { type Centavos, reaisOf } from "../values/Centavos.ts"
import { PartnerId, ProposalId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { Uuid } from "../values/Uuid.ts"
import { Period } from "./period.ts"
import { sharePercentOf } from "./Share.ts"

/** The id of an entry. */
export const EntryId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The entry's id", examples: ["0197f3a3-06c7-78f9-b3f5-a6b7c8d9e0f1"] }),
  Schema.brand("EntryId")
)
export type EntryId = typeof EntryId.Type

/** The id of a payout. */
export const PayoutId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The payout's id", examples: ["0197f3a3-17d8-790a-84a6-b7c8d9e0f102"] }),
  Schema.brand("PayoutId")
)
export type PayoutId = typeof PayoutId.Type

/** The kinds of entries. */
export const EntryKind = Schema.Literals(["ACCRUAL", "CLAWBACK", "ADJUSTMENT"]).annotate({
  description:
    "`ACCRUAL`: the customer was paid. `CLAWBACK`: the paid contract was reversed. `ADJUSTMENT`: somebody above the " +
    "partner corrected its balance."
})
export type EntryKind = typeof EntryKind.Type

/** The statuses of entries. */
export const EntryStatus = Schema.Literals(["OPEN", "CLOSED", "PAID"]).annotate({
  description: "`OPEN`: not closed yet. `CLOSED`: ready for a payout. `PAID`: part of a payout."
})
export type EntryStatus = typeof EntryStatus.Type

/** An entry of the ledger, as it is stored. Amounts are in centavos. */
export interface StoredEntry {
  readonly entry_id: EntryId
  readonly partner_id: PartnerId
  /**
   * The partners that can see the entry, from the partner itself to the root. An adjustment takes them from the tree at
   * the time of writing, and any other entry from the frozen chain (COMM-09).
   */
  readonly viewers: ReadonlyArray<PartnerId>
  readonly proposal_id: ProposalId | null
  readonly kind: EntryKind
  readonly amount: Centavos
  readonly basis_amount: Centavos | null
  readonly lender: string | null
  readonly table: string | null
  readonly seller_partner_id: PartnerId | null
  readonly period: Period
  readonly payable_on: CalendarDate
  readonly status: EntryStatus
  readonly payout_id: PayoutId | null
  readonly occurred_at: Timestamp
  readonly note: string | null
  /** The lender's reference of the contract; null for an adjustment. */
  readonly reference: string | null
  /** The amount that was paid to the customer; null if it is unknown, and for an adjustment. */
  readonly paid_amount: Centavos | null
  /** The day of the payment or of the reversal, in America/Sao_Paulo. */
  readonly happened_on: CalendarDate
}

/** An entry of the ledger of commissions. */
export const CommissionEntry = Schema.Struct({
  entry_id: EntryId,
  proposal_id: field(Schema.NullOr(ProposalId), "The contract; null for an adjustment without a contract"),
  partner_id: field(PartnerId, "The partner that earns the amount"),
  kind: EntryKind,
  amount: field(Amount, "The amount in reais; negative for a clawback", 12.5),
  share_percent: field(
    Schema.NullOr(Schema.Finite),
    "The amount in percent of the basis amount, four decimals; null for an adjustment",
    1.25
  ),
  basis_amount: field(Schema.NullOr(Amount), "The amount that the commission is a part of", 1000),
  lender: field(Schema.NullOr(Schema.String), "The lender's code", "sandbox"),
  table: field(Schema.NullOr(Schema.String), "The code of the lender's fee table", "ouro"),
  seller_partner_id: field(Schema.NullOr(PartnerId), "The partner that sold the contract"),
  period: field(Period, "The São Paulo month in which the entry counts", "2026-11"),
  payable_on: field(CalendarDate, "The first São Paulo day on which the amount can be closed and paid"),
  status: EntryStatus,
  payout_id: field(Schema.NullOr(PayoutId), "The payout; null unless `status` is `PAID`"),
  occurred_at: field(Timestamp, "When the entry was written"),
  note: field(Schema.NullOr(Schema.String), "The note of an adjustment", "Bonus of November")
}).annotate({ identifier: "CommissionEntry", description: "An entry of the ledger of commissions" })
export type CommissionEntry = typeof CommissionEntry.Type

/** A page of entries. */
export const CommissionsPage = pageSchema(CommissionEntry, "CommissionsPage")

/** Returns an entry in its form in responses. */
export const publicEntry = (entry: StoredEntry): CommissionEntry => ({
  entry_id: entry.entry_id,
  proposal_id: entry.proposal_id,
  partner_id: entry.partner_id,
  kind: entry.kind,
  amount: reaisOf(entry.amount),
  share_percent: sharePercentOf(entry.amount, entry.basis_amount),
  basis_amount: entry.basis_amount === null ? null : reaisOf(entry.basis_amount),
  lender: entry.lender,
  table: entry.table,
  seller_partner_id: entry.seller_partner_id,
  period: entry.period,
  payable_on: entry.payable_on,
  status: entry.status,
  payout_id: entry.payout_id,
  occurred_at: entry.occurred_at,
  note: entry.note
})
