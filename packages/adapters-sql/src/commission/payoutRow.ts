import { type StoredPayout } from "@lastro/domain/commission"
import { toTimestamp } from "../database/columnValues.ts"
import { toCentavos } from "./entryRow.ts"

export interface PayoutRow
  extends Omit<StoredPayout, "amount" | "created_at" | "net_amount" | "paid_at" | "payout_id">
{
  readonly id: StoredPayout["payout_id"]
  readonly amount: bigint
  readonly net_amount: bigint
  readonly paid_at: Date
  readonly created_at: Date
}

export const payoutColumns = [
  "id",
  "partner_id",
  "viewers",
  "period",
  "amount",
  "net_amount",
  "withheld",
  "reference",
  "paid_at",
  "created_at"
].map((name) => `item.${name}`).join(", ")

export const payoutOf = (row: PayoutRow): StoredPayout => ({
  payout_id: row.id,
  partner_id: row.partner_id,
  viewers: row.viewers,
  period: row.period,
  amount: toCentavos(row.amount),
  withheld: row.withheld,
  net_amount: toCentavos(row.net_amount),
  reference: row.reference,
  paid_at: toTimestamp(row.paid_at),
  created_at: toTimestamp(row.created_at)
})
