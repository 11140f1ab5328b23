import { type Centavos, centavos, sumCentavos } from "../values/Centavos.ts"
import { fractionOf, type Percent } from "../values/Percent.ts"
import { daysOfMonth, type DiscountedInstallment } from "./discountInstallments.ts"
import { exactSum, type ExactTerm, type Growth, roundedSum } from "./exactSum.ts"
import { halfUp } from "./halfUp.ts"
import { type PricedInstallment } from "./PricedOffer.ts"

const growthOf = (monthly_rate: Percent): Growth => ({
  numerator: BigInt(Math.round((1 + fractionOf(monthly_rate)) * 1e8)),
  denominator: 10n ** 8n
})

/** Computes the weighted sum of present values exactly. */
export const exactValue = (
  monthly_rate: Percent,
  installments: ReadonlyArray<DiscountedInstallment>,
  weightOf: (installment: DiscountedInstallment) => number = () => 1
): bigint =>
  exactSum(
    growthOf(monthly_rate),
    daysOfMonth,
    installments.map((installment): ExactTerm => ({
      weight: BigInt(installment.amount) * BigInt(weightOf(installment)),
      exponent: installment.days
    }))
  )

/** Rounds the sum `value` of present values to the centavo, and computes it exactly if it is near a tie. */
const rounded = (
  value: number,
  monthly_rate: Percent,
  installments: () => ReadonlyArray<DiscountedInstallment>
): Centavos => centavos(halfUp(value, () => roundedSum(exactValue(monthly_rate, installments()))))

/**
 * The principal is the sum of the present values, rounded once, half up, to the centavo.
 * @rule PRICE-03
 */
export const principalOf = (monthly_rate: Percent, installments: ReadonlyArray<DiscountedInstallment>): Centavos => {
  let sum = 0
  for (const { value } of installments) sum += value
  return rounded(sum, monthly_rate, () => installments)
}

/**
 * The principal of an instalment is its present value, rounded half up to the centavo. The last instalment takes the
 * rounding difference, so that these principals add up to the principal of the loan. If this would make its principal
 * negative, its principal is zero, and the instalment before it takes the rest of the difference, and so on.
 *
 * No principal is negative. If there is almost no interest, the interest of the last instalment can be negative by a
 * few centavos.
 * @rule PRICE-04
 */
export const pricedInstallments = (
  monthly_rate: Percent,
  installments: ReadonlyArray<DiscountedInstallment>,
  principal: Centavos
): ReadonlyArray<PricedInstallment> => {
  const parts = installments.map((installment) =>
    [installment, rounded(installment.value, monthly_rate, () => [installment])] as const
  )
  let excess = sumCentavos(parts.map(([, part]) => part)) - principal
  return parts.toReversed().map(([{ amount, days, due_date }, part], behind) => {
    const taken = Math.min(excess, part)
    excess -= taken
    const principal_amount = centavos(part - taken)
    return {
      number: parts.length - behind,
      due_date,
      amount,
      principal_amount,
      interest_amount: centavos(amount - principal_amount),
      calendar_days: days
    }
  }).toReversed()
}
