import { Result } from "effect"
import { sumCentavos } from "../values/Centavos.ts"
import { fractionOf, type Percent, percent } from "../values/Percent.ts"
import { divideHalfUp } from "../values/rounding.ts"
import { costsOf } from "./costsOf.ts"
import { halfUp } from "./halfUp.ts"
import {
  FeesExceedPrincipal,
  type OfferTerms,
  type PricedOffer,
  type PricingRefusal,
  TermsOutOfRange
} from "./PricedOffer.ts"
import { pricedInstallments } from "./principal.ts"
import { roundedCost } from "./roundedCost.ts"
import { daysOfYear, totalEffectiveCost } from "./totalEffectiveCost.ts"

/**
 * Compounds a monthly rate over twelve months with exact integers. The rate and the result are in units of 10^-8
 * (millionths of a percent).
 */
const exactAnnualRate = (hundredMillionths: number): number =>
  Number(divideHalfUp((10n ** 8n + BigInt(hundredMillionths)) ** 12n - 10n ** 96n, 10n ** 88n))

/**
 * The annual rate is (1 + monthly rate)^12 − 1, in percent, rounded half up to six decimals. The monthly rate is 0 to
 * 100 %.
 * @rule PRICE-11
 */
export const annualRate = (monthly_rate: Percent): Percent => {
  const fraction = fractionOf(monthly_rate)
  const millionths = Math.expm1(12 * Math.log1p(fraction)) * 1e8
  return percent(halfUp(millionths, () => exactAnnualRate(Math.round(fraction * 1e8))) / 1e6)
}

/** Maximum total effective cost a year, as a fraction. */
const highestCost = 9_000_000

/**
 * Terms can be priced if the net amount is positive and the total effective cost is within its maximum. Otherwise the
 * result is FeesExceedPrincipal or TermsOutOfRange.
 * @rule PRICE-12
 */
export const priceOffer = (terms: OfferTerms): Result.Result<PricedOffer, PricingRefusal> => {
  const costs = costsOf(terms)
  if (Result.isFailure(costs)) return Result.fail(costs.failure)
  const {
    fee_amount,
    installments,
    iof_additional_amount,
    iof_amount,
    iof_daily_amount,
    net_amount,
    principal_amount
  } = costs.success
  const cost = totalEffectiveCost(
    net_amount,
    installments.map(({ amount, days }) => ({ amount, years: days / daysOfYear }))
  )
  if (Result.isFailure(cost)) return Result.fail(new FeesExceedPrincipal())
  const { annual, monthly } = cost.success
  if (annual > highestCost) return Result.fail(new TermsOutOfRange({ reason: "COST_TOO_HIGH" }))
  return Result.succeed({
    gross_amount: sumCentavos(installments.map(({ amount }) => amount)),
    principal_amount,
    iof_daily_amount,
    iof_additional_amount,
    iof_amount,
    fee_amount,
    net_amount,
    monthly_rate: terms.monthly_rate,
    annual_rate: annualRate(terms.monthly_rate),
    monthly_cet: roundedCost(monthly, net_amount, installments, 12),
    annual_cet: roundedCost(annual, net_amount, installments, 1),
    installments: pricedInstallments(terms.monthly_rate, installments, principal_amount)
  })
}
