import { Result } from "effect"
import { type Centavos, maxCentavos } from "../../money/Centavos.ts"
import { fractionOf, type Percent } from "../../money/Percent.ts"
import { daysBetween } from "../../time/CalendarDate.ts"
import { type DueAmount, type OfferTerms } from "./PricedOffer.ts"
import { TermsOutOfRange } from "./PricingRefusals.ts"

/** An instalment and what it is worth on the day of the release. */
export interface Discounted extends DueAmount {
  /** Calendar days from the release to the due date. */
  readonly days: number
  /** In centavos, not rounded. */
  readonly value: number
}

/** The days of the month that a monthly rate is of. */
export const daysOfMonth = 30

const refuse = (reason: TermsOutOfRange["reason"]): Result.Result<never, TermsOutOfRange> =>
  Result.fail(new TermsOutOfRange({ reason }))

/**
 * What an amount is worth n calendar days before it is due: the amount divided by (1 + monthly rate) to the power of
 * n / 30.
 * @rule PRICE-01
 */
export const presentValue = (amount: Centavos, days: number, monthly_rate: Percent): number =>
  amount * Math.exp(Math.log1p(fractionOf(monthly_rate)) * -days / daysOfMonth)

/** In percent a month. */
const highestRate = 100

/**
 * There is at least one instalment, every amount is positive, every due date lies after the release and after the one
 * before it, the rate is between 0 and 100 % a month, and the sum of the amounts is one that an amount can be.
 * @rule PRICE-02
 */
export const discounted = (
  { installments, monthly_rate, released_on }: OfferTerms
): Result.Result<ReadonlyArray<Discounted>, TermsOutOfRange> => {
  if (installments.length === 0) return refuse("NO_INSTALLMENTS")
  if (monthly_rate < 0 || monthly_rate > highestRate) return refuse("RATE_OUT_OF_RANGE")
  const found: Array<Discounted> = []
  let gross = 0
  let before = 0
  for (const { amount, due_date } of installments) {
    const days = daysBetween(released_on, due_date)
    if (amount <= 0) return refuse("AMOUNT_NOT_POSITIVE")
    if (days <= before) return refuse("DUE_DATES_NOT_ASCENDING")
    gross += amount
    before = days
    found.push({ due_date, amount, days, value: presentValue(amount, days, monthly_rate) })
  }
  return gross > maxCentavos ? refuse("GROSS_TOO_LARGE") : Result.succeed(found)
}
