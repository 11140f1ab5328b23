import { type Centavos } from "../../money/Centavos.ts"
import { type Percent } from "../../money/Percent.ts"
import { type CalendarDate } from "../../time/CalendarDate.ts"

/** What a lender charges beside interest, out of the principal. */
export type Fee =
  | { readonly kind: "none" }
  /** A percentage of the principal. */
  | { readonly kind: "percent"; readonly percent: Percent }
  | { readonly kind: "fixed"; readonly amount: Centavos }

/** An instalment before pricing: what is paid, and when. */
export interface DueAmount {
  readonly due_date: CalendarDate
  readonly amount: Centavos
}

/** What is priced: instalments at a rate and a fee, released on a day. */
export interface OfferTerms {
  readonly released_on: CalendarDate
  readonly monthly_rate: Percent
  readonly fee: Fee
  /** Each due after the release; in the order of their due dates. */
  readonly installments: ReadonlyArray<DueAmount>
}

/** An instalment of a priced offer. */
export interface PricedInstallment {
  /** From 1. */
  readonly number: number
  readonly due_date: CalendarDate
  readonly amount: Centavos
  /** The part of `amount` that repays the principal. */
  readonly principal_amount: Centavos
  /** The rest of `amount`. */
  readonly interest_amount: Centavos
  /** From the release to the due date. */
  readonly calendar_days: number
}

/** A priced offer. Rates and costs are percentages. */
export interface PricedOffer {
  /** The sum of the instalments. */
  readonly gross_amount: Centavos
  /** What is lent: the present value of the instalments. Taxes and fee come out of it. */
  readonly principal_amount: Centavos
  readonly iof_daily_amount: Centavos
  readonly iof_additional_amount: Centavos
  /** The sum of both parts of the tax. */
  readonly iof_amount: Centavos
  readonly fee_amount: Centavos
  /** What the customer receives. */
  readonly net_amount: Centavos
  readonly monthly_rate: Percent
  readonly annual_rate: Percent
  readonly monthly_cet: Percent
  readonly annual_cet: Percent
  readonly installments: ReadonlyArray<PricedInstallment>
}
