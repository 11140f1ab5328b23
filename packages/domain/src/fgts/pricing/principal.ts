import { type Centavos, centavos } from "../../money/Centavos.ts"
import { fractionOf, type Percent } from "../../money/Percent.ts"
import { daysOfMonth, type Discounted } from "./discounted.ts"
import { exactSum, type ExactTerm, type Growth, roundedSum } from "./exactSum.ts"
import { halfUp } from "./halfUp.ts"
import { type PricedInstallment } from "./PricedOffer.ts"

/** One and a monthly rate, as a fraction of integers. */
const growthOf = (monthly_rate: Percent): Growth => ({
  numerator: BigInt(Math.round((1 + fractionOf(monthly_rate)) * 1e8)),
  denominator: 10n ** 8n
})

/** The sum of present values, each times a whole weight, exactly. */
export const exactValue = (
  monthly_rate: Percent,
  installments: ReadonlyArray<Discounted>,
  weightOf: (installment: Discounted) => number = () => 1
): bigint =>
  exactSum(
    growthOf(monthly_rate),
    daysOfMonth,
    installments.map((one): ExactTerm => ({ weight: BigInt(one.amount) * BigInt(weightOf(one)), exponent: one.days }))
  )

const rounded = (value: number, monthly_rate: Percent, installments: () => ReadonlyArray<Discounted>): Centavos =>
  centavos(halfUp(value, () => roundedSum(exactValue(monthly_rate, installments()))))

/**
 * The principal is the sum of the present values, rounded once to the centavo, half up.
 * @rule PRICE-03
 */
export const principalOf = (monthly_rate: Percent, installments: ReadonlyArray<Discounted>): Centavos => {
  let sum = 0
  for (const { value } of installments) sum += value
  return rounded(sum, monthly_rate, () => installments)
}

/**
 * The principal of an instalment is its present value, rounded half up to the centavo; what these together make more or
 * less than the principal of all goes to the last. Interest is the rest of the instalment.
 *
 * So the last one's interest can be negative, by centavos, where there is next to no interest at all.
 * @rule PRICE-04
 */
export const pricedInstallments = (
  monthly_rate: Percent,
  installments: ReadonlyArray<Discounted>,
  principal: Centavos
): ReadonlyArray<PricedInstallment> => {
  let left = principal
  return installments.map((one, index) => {
    const { amount, days, due_date, value } = one
    const number = index + 1
    const part = number === installments.length ? left : rounded(value, monthly_rate, () => [one])
    left = centavos(left - part)
    return {
      number,
      due_date,
      amount,
      principal_amount: part,
      interest_amount: centavos(amount - part),
      calendar_days: days
    }
  })
}
