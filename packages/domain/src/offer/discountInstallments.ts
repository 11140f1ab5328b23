import { Result } from "effect"
import { daysBetween } from "../values/CalendarDate.ts"
import { type Centavos, maxCentavos } from "../values/Centavos.ts"
import { fractionOf, type Percent } from "../values/Percent.ts"
import { type DueAmount, type OfferTerms, TermsOutOfRange } from "./PricedOffer.ts"

/** An instalment with its present value on the release day. */
export interface DiscountedInstallment extends DueAmount {
  /** Calendar days from the release to the due date. */
  readonly days: number
  /** The present value in centavos, not rounded. */
  readonly value: number
}

/** Number of days in a month, for monthly rates. */
export const daysOfMonth = 30

const refuse = (reason: TermsOutOfRange["reason"]): Result.Result<never, TermsOutOfRange> =>
  Result.fail(new TermsOutOfRange({ reason }))

/**
 * The present value of an amount due in n calendar days is amount / (1 + monthly rate)^(n / 30).
 * @rule PRICE-01
 */
export const presentValue = (amount: Centavos, days: number, monthly_rate: Percent): number =>
  amount * Math.exp(Math.log1p(fractionOf(monthly_rate)) * -days / daysOfMonth)

/** The highest rate, in percent a month. */
const highestRate = 100

/**
 * Terms must have at least one instalment, positive amounts, and a rate of 0 to 100 % a month. The due dates must be in
 * strictly ascending order, and the first must be after the release day. The sum of the amounts must not exceed the
 * largest possible amount.
 * @rule PRICE-02
 */
export const discountInstallments = (
  { installments, monthly_rate, released_on }: OfferTerms
): Result.Result<ReadonlyArray<DiscountedInstallment>, TermsOutOfRange> => {
  if (installments.length === 0) return refuse("NO_INSTALLMENTS")
  if (monthly_rate < 0 || monthly_rate > highestRate) return refuse("RATE_OUT_OF_RANGE")
  const discounted: Array<DiscountedInstallment> = []
  let gross = 0
  let daysBefore = 0
  for (const { amount, due_date } of installments) {
    const days = daysBetween(released_on, due_date)
    if (amount <= 0) return refuse("AMOUNT_NOT_POSITIVE")
    if (days <= daysBefore) return refuse("DUE_DATES_NOT_ASCENDING")
    gross += amount
    daysBefore = days
    discounted.push({ due_date, amount, days, value: presentValue(amount, days, monthly_rate) })
  }
  return gross > maxCentavos ? refuse("GROSS_TOO_LARGE") : Result.succeed(discounted)
}
