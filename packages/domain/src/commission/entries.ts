import { saoPauloDate } from "../values/CalendarDate.ts"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type StoredEntry } from "./CommissionEntry.ts"

/** An entry without its id and its period. */
export type DraftEntry = Omit<StoredEntry, "entry_id" | "period">

/**
 * A CLAWBACK negates an ACCRUAL. The reversal of a paid contract writes one for each ACCRUAL of the contract. It is
 * payable on the day of the reversal, but not before the ACCRUAL.
 * @rule COMM-13
 */
export const clawbacksOf = (accruals: ReadonlyArray<DraftEntry>, at: Timestamp): ReadonlyArray<DraftEntry> => {
  const today = saoPauloDate(at)
  return accruals.map((accrual) => ({
    ...accrual,
    kind: "CLAWBACK",
    amount: negated(accrual.amount),
    paid_amount: accrual.paid_amount === null ? null : negated(accrual.paid_amount),
    payable_on: today > accrual.payable_on ? today : accrual.payable_on,
    status: "OPEN",
    payout_id: null,
    occurred_at: at,
    happened_on: today
  }))
}

const negated = (amount: Centavos): Centavos => centavos(-amount)

/**
 * An ADJUSTMENT corrects the balance of a partner by an amount that is not 0. It is payable on the day on which it
 * is recorded. The partner and the ancestors that it has on that day can see it. `path` begins with the partner and ends
 * with the root.
 * @rule COMM-14
 */
export const adjustmentOf = (
  { amount, note, proposal_id }: Pick<StoredEntry, "amount" | "note" | "proposal_id">,
  path: ReadonlyArray<PartnerId>,
  partner_id: PartnerId,
  at: Timestamp
): DraftEntry => ({
  partner_id,
  viewers: path,
  proposal_id,
  kind: "ADJUSTMENT",
  amount,
  basis_amount: null,
  lender: null,
  table: null,
  seller_partner_id: null,
  payable_on: saoPauloDate(at),
  status: "OPEN",
  payout_id: null,
  occurred_at: at,
  note,
  reference: null,
  paid_amount: null,
  happened_on: saoPauloDate(at)
})
