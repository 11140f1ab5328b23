import { Refusal } from "../input/Refusal.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type Centavos } from "../values/Centavos.ts"
import { type Percent } from "../values/Percent.ts"

/** Taxes and fee are at least as high as the principal, so nothing would be paid to the customer. */
export class FeesExceedPrincipal
  extends Refusal("FeesExceedPrincipal", "Taxes and fee together are at least as high as the principal.")
{}

/** The reason why terms cannot be priced. */
export type TermsProblem =
  | "NO_INSTALLMENTS"
  | "AMOUNT_NOT_POSITIVE"
  /** A due date is not after the release day, or not after the previous due date. */
  | "DUE_DATES_NOT_ASCENDING"
  /** The sum of the instalments exceeds the largest amount that Lastro can represent. */
  | "GROSS_TOO_LARGE"
  /** The monthly rate is negative or above 100 %. */
  | "RATE_OUT_OF_RANGE"
  | "NEGATIVE_FEE"
  /** The total effective cost is above 900 000 000 % a year. */
  | "COST_TOO_HIGH"

/** The terms cannot be priced for the given reason. */
export class TermsOutOfRange
  extends Refusal("TermsOutOfRange", "These terms cannot be priced.", ["reason"])<{ readonly reason: TermsProblem }>
{}

/** The errors of pricing. */
export type PricingRefusal = FeesExceedPrincipal | TermsOutOfRange

/** The fee (TAC) that a lender deducts from the principal. */
export type LoanFee =
  | { readonly kind: "none" }
  /** A percentage of the principal. */
  | { readonly kind: "percent"; readonly percent: Percent }
  | { readonly kind: "fixed"; readonly amount: Centavos }

/** An instalment before pricing. */
export interface DueAmount {
  readonly due_date: CalendarDate
  readonly amount: Centavos
}

/** The terms to price: instalments, rate, fee and release day. */
export interface OfferTerms {
  readonly released_on: CalendarDate
  readonly monthly_rate: Percent
  readonly fee: LoanFee
  /** In ascending order of due date. All due dates are after the release day. */
  readonly installments: ReadonlyArray<DueAmount>
}

/** An instalment of a priced offer. */
export interface PricedInstallment {
  /** Number of the instalment, starting at 1. */
  readonly number: number
  readonly due_date: CalendarDate
  readonly amount: Centavos
  /** The part of `amount` that repays the principal. */
  readonly principal_amount: Centavos
  /** The interest: `amount` less `principal_amount`. */
  readonly interest_amount: Centavos
  /** Calendar days from the release day to the due date. */
  readonly calendar_days: number
}

/** A priced offer. Rates and costs are percentages. */
export interface PricedOffer {
  /** The sum of the instalments. */
  readonly gross_amount: Centavos
  /** The principal: the present value of the instalments. Taxes and fee are deducted from it. */
  readonly principal_amount: Centavos
  readonly iof_daily_amount: Centavos
  readonly iof_additional_amount: Centavos
  /** The IOF tax: daily plus additional. */
  readonly iof_amount: Centavos
  readonly fee_amount: Centavos
  /** The amount paid to the customer. */
  readonly net_amount: Centavos
  readonly monthly_rate: Percent
  readonly annual_rate: Percent
  readonly monthly_cet: Percent
  readonly annual_cet: Percent
  readonly installments: ReadonlyArray<PricedInstallment>
}
