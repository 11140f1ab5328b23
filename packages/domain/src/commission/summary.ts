import { Schema } from "effect"
import { field } from "../input/field.ts"
import { pageSchema } from "../input/Page.ts"
import { Amount } from "../values/Amount.ts"
import { type Centavos, reaisOf } from "../values/Centavos.ts"
import { PartnerId } from "../values/ids.ts"

/** The sums of those entries of a partner that the reader can see. Amounts are in centavos. */
export interface PartnerSums {
  readonly partner_id: PartnerId
  /** The sums of the entries of the period, by kind. */
  readonly accrued: Centavos
  readonly clawed_back: Centavos
  readonly adjusted: Centavos
  /** The sum of the entries of the period that are PAID. */
  readonly paid: Centavos
  /** The number of ACCRUALs of the period, less the number of CLAWBACKs. */
  readonly contracts: number
  /** The sum of the entries of earlier periods that are not PAID. */
  readonly earlier: Centavos
}

/** The amounts of a summary, in centavos. */
export interface SummaryAmounts extends Omit<PartnerSums, "earlier" | "partner_id"> {
  readonly balance: Centavos
  readonly carried: Centavos
  readonly payable: Centavos
}

/**
 * The balance of a period is the sum of its entries. If the entries of earlier periods that are not PAID have a negative
 * sum, this debt is carried over. The payable amount is the balance plus the carried debt, less the PAID entries of the
 * period. It is never negative.
 * @rule COMM-19
 */
export const summaryOf = ({ earlier, partner_id: _, ...sums }: PartnerSums): SummaryAmounts => {
  // Plain sums, because the sum of many amounts can exceed the bounds of `Centavos`.
  const balance = sums.accrued + sums.clawed_back + sums.adjusted as Centavos
  const carried = Math.min(0, earlier) as Centavos
  return { ...sums, balance, carried, payable: Math.max(0, balance + carried - sums.paid) as Centavos }
}

const fields = {
  accrued: field(Amount, "The sum of the accruals of the period", 120.5),
  clawed_back: field(Amount, "The sum of the clawbacks of the period; at most 0", -20.5),
  adjusted: field(Amount, "The sum of the adjustments of the period", 10),
  balance: field(Amount, "The sum of all entries of the period", 110),
  carried: field(
    Amount,
    "The debt of earlier periods: the sum of their entries that are not paid, if it is negative",
    0
  ),
  paid: field(Amount, "The sum of the entries of the period that are paid", 0),
  payable: field(Amount, "The balance and the carried debt, less what is paid; at least 0", 110),
  contracts: field(Schema.Int, "The number of accruals, less the number of clawbacks", 4)
}

/** The summary of a partner. */
export const CommissionSummary = Schema.Struct({
  partner_id: field(PartnerId, "The partner that earns the amounts"),
  ...fields
}).annotate({ identifier: "CommissionSummary", description: "The commissions of a partner in a period" })
export type CommissionSummary = typeof CommissionSummary.Type

/** The sums over all partners. */
export const CommissionTotal = Schema.Struct(fields).annotate({
  identifier: "CommissionTotal",
  description: "The sums over all partners of the list"
})
export type CommissionTotal = typeof CommissionTotal.Type

/** A page of summaries, with the sums over all pages. */
export const CommissionSummaryPage = Schema.Struct({
  ...pageSchema(CommissionSummary, "SummaryPage").fields,
  total: field(CommissionTotal, "The sums over all partners of the list")
}).annotate({ identifier: "CommissionSummaryPage", description: "One page of a summary, and the sums over all pages" })
export type CommissionSummaryPage = typeof CommissionSummaryPage.Type

export const inReais = (amounts: SummaryAmounts): CommissionTotal => ({
  accrued: reaisOf(amounts.accrued),
  clawed_back: reaisOf(amounts.clawed_back),
  adjusted: reaisOf(amounts.adjusted),
  balance: reaisOf(amounts.balance),
  carried: reaisOf(amounts.carried),
  paid: reaisOf(amounts.paid),
  payable: reaisOf(amounts.payable),
  contracts: amounts.contracts
})
