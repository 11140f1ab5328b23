import { Result } from "effect"
import { fractionOf, type Percent } from "../values/Percent.ts"
import { daysOfMonth, presentValue } from "./discountInstallments.ts"
import { type FgtsPolicy } from "./FgtsPolicy.ts"
import { type OfferFault } from "./OfferFault.ts"
import { type PricedOffer } from "./PricedOffer.ts"
import { daysOfYear, totalEffectiveCost } from "./totalEffectiveCost.ts"

/** Accepted differences in percentage points, because lenders round differently. */
const monthlyTolerance = 0.05
const annualTolerance = 0.6

/** Differences up to this one are errors of floating point. */
const floatError = 1e-9

/**
 * Upper bound of the relative error of a computed cost. An annual cost can be hundreds of millions of percent, so a
 * larger bound would be greater than the tolerance.
 */
const computedCostError = 1e-11

const isNear = (stated: number, computed: number, tolerance: number): boolean =>
  Math.abs(stated - computed) <= tolerance + floatError + computedCostError * Math.abs(computed)

/**
 * The stated total effective cost (CET) of an offer equals the one computed from its net amount and its instalments.
 * The tolerance is 0.05 percentage points for the monthly cost, and 0.6 for the annual cost.
 * @rule FGTS-39
 */
export const judgeCet = (
  { annual_cet, installments, monthly_cet, net_amount }: PricedOffer
): OfferFault | undefined => {
  const cost = totalEffectiveCost(
    net_amount,
    installments.map(({ amount, calendar_days }) => ({ amount, years: calendar_days / daysOfYear }))
  )
  return Result.isSuccess(cost) && isNear(monthly_cet, 100 * cost.success.monthly, monthlyTolerance) &&
      isNear(annual_cet, 100 * cost.success.annual, annualTolerance)
    ? undefined
    : "WRONG_CET"
}

/** Returns the present value of the instalments at a monthly rate in percent, in centavos. */
const valueAt = (installments: PricedOffer["installments"], monthly_rate: number): number =>
  installments.reduce(
    (sum, { amount, calendar_days }) => sum + presentValue(amount, calendar_days, monthly_rate as Percent),
    0
  )

/**
 * The monthly rate of an offer is the rate at which the present value of its instalments equals its principal. The
 * tolerance of the stated rate is 0.05 percentage points.
 *
 * The principal is rounded to a centavo. In a term of a few days, one centavo changes the rate by more than this
 * tolerance. Therefore an offer is also accepted if its principal is correct within one centavo.
 * @rule FGTS-40
 */
export const judgeRate = ({ installments, monthly_rate, principal_amount }: PricedOffer): OfferFault | undefined => {
  const least = valueAt(installments, monthly_rate + monthlyTolerance) - 1
  const most = valueAt(installments, monthly_rate - monthlyTolerance) + 1
  return least <= principal_amount && principal_amount <= most ? undefined : "WRONG_RATE"
}

/**
 * The stated monthly rate of an offer is at most the rate limit in force (POLICY-09), inclusive.
 *
 * Source: Lei 8.036/1990, art. 20-D, § 3º.
 * @rule FGTS-41
 */
export const judgeMaximumRate = (
  { monthly_rate }: Pick<PricedOffer, "monthly_rate">,
  { max_monthly_rate }: Pick<FgtsPolicy, "max_monthly_rate">
): OfferFault | undefined => monthly_rate <= max_monthly_rate ? undefined : "RATE_TOO_HIGH"

/** Tolerance of a computed principal, in centavos. */
const principalTolerance = 2

/**
 * The principal of an instalment can be negative only if the interest since the previous due date is greater than the
 * instalment. The interest is computed at the stated rate on the balance before the instalment. The negative principal
 * must be the instalment less this interest, within R$ 0.02.
 * @rule FGTS-42
 */
export const judgeNegativePrincipals = (
  { installments, monthly_rate, principal_amount }: PricedOffer
): OfferFault | undefined => {
  let balance: number = principal_amount
  let before = 0
  for (const { amount, calendar_days, principal_amount: repaid } of installments) {
    const growth = Math.log1p(fractionOf(monthly_rate)) * (calendar_days - before) / daysOfMonth
    const difference = Math.abs(amount - balance * Math.expm1(growth) - repaid)
    if (repaid < 0 && !(difference <= principalTolerance + floatError * amount)) return "NEGATIVE_PRINCIPAL"
    balance -= repaid
    before = calendar_days
  }
  return undefined
}
