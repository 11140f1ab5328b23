import { type StoredEntry } from "@lastro/domain/commission"
import { type Centavos } from "@lastro/domain/values"
import { toTimestamp } from "../database/columnValues.ts"

const columns = [
  "partner_id",
  "viewers",
  "proposal_id",
  "kind",
  "basis_amount",
  "lender",
  "table_code",
  "seller_partner_id",
  "period",
  "payable_on",
  "status",
  "payout_id",
  "note",
  "reference",
  "paid_amount",
  "happened_on"
].map((name) => `item.${name}`).join(", ")

/** Columns of an entry. The table alias is `item`. */
export const entryColumns = `item.id, item.occurred_at, item.amount, ${columns}`

/**
 * The same columns. The id and the sort columns come from `commission_visible` (table alias `seen`), so that PostgreSQL
 * uses its index.
 */
export const seenColumns = `seen.entry_id as id, seen.occurred_at, seen.amount, ${columns}`

/** A row with the {@link entryColumns}. */
export interface EntryRow
  extends Omit<StoredEntry, "amount" | "basis_amount" | "entry_id" | "occurred_at" | "paid_amount" | "table">
{
  readonly id: StoredEntry["entry_id"]
  readonly amount: bigint
  readonly basis_amount: bigint | null
  readonly table_code: string | null
  readonly occurred_at: Date
  readonly paid_amount: bigint | null
}

/** Converts an amount that the driver returns. */
export const toCentavos = (amount: bigint): Centavos => Number(amount) as Centavos

const toNullableCentavos = (amount: bigint | null): Centavos | null => amount === null ? null : toCentavos(amount)

export const entryOf = (row: EntryRow): StoredEntry => ({
  entry_id: row.id,
  partner_id: row.partner_id,
  viewers: row.viewers,
  proposal_id: row.proposal_id,
  kind: row.kind,
  amount: toCentavos(row.amount),
  basis_amount: toNullableCentavos(row.basis_amount),
  lender: row.lender,
  table: row.table_code,
  seller_partner_id: row.seller_partner_id,
  period: row.period,
  payable_on: row.payable_on,
  status: row.status,
  payout_id: row.payout_id,
  occurred_at: toTimestamp(row.occurred_at),
  note: row.note,
  reference: row.reference,
  paid_amount: toNullableCentavos(row.paid_amount),
  happened_on: row.happened_on
})

/** Converts an entry to a JSON object whose keys are the column names. */
export const entryJson = ({ entry_id, table, ...entry }: StoredEntry) => ({
  ...entry,
  id: entry_id,
  root_id: entry.viewers.at(-1),
  table_code: table
})
