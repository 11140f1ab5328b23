import { Result } from "effect"
import { type Centavos, centavos, zeroCentavos } from "../values/Centavos.ts"
import { percentOf } from "../values/Percent.ts"
import { type DiscountedInstallment, discountInstallments } from "./discountInstallments.ts"
import { iofAdditional, iofDaily, iofRatesOn } from "./iof.ts"
import {
  FeesExceedPrincipal,
  type LoanFee,
  type OfferTerms,
  type PricingRefusal,
  TermsOutOfRange
} from "./PricedOffer.ts"
import { principalOf } from "./principal.ts"

/** The principal of a loan, its costs other than interest, and the amount that remains. */
export interface Costs {
  readonly installments: ReadonlyArray<DiscountedInstallment>
  readonly principal_amount: Centavos
  readonly iof_daily_amount: Centavos
  readonly iof_additional_amount: Centavos
  readonly iof_amount: Centavos
  readonly fee_amount: Centavos
  /** The principal less taxes and fee. It can be negative. */
  readonly net_amount: Centavos
}

/**
 * A fee is zero, a fixed amount, or a percentage of the principal, rounded half up to the centavo.
 * @rule PRICE-07
 */
export const feeOf = (fee: LoanFee, principal: Centavos): Centavos => {
  switch (fee.kind) {
    case "none":
      return zeroCentavos
    case "fixed":
      return fee.amount
    case "percent":
      return percentOf(fee.percent, principal)
  }
}

/**
 * A fee must not be negative. A percentage fee must not exceed 100 %.
 * @rule PRICE-14
 */
export const judgeFee = (fee: LoanFee): Result.Result<void, PricingRefusal> => {
  const isNegative = fee.kind === "percent" && fee.percent < 0 || fee.kind === "fixed" && fee.amount < 0
  if (isNegative) return Result.fail(new TermsOutOfRange({ reason: "NEGATIVE_FEE" }))
  return fee.kind === "percent" && fee.percent > 100 ? Result.fail(new FeesExceedPrincipal()) : Result.void
}

/**
 * The net amount is the principal less the rounded daily IOF, the rounded additional IOF and the fee. Nothing is added
 * to the instalments.
 * @rule PRICE-08
 */
export const costsOf = (terms: OfferTerms): Result.Result<Costs, PricingRefusal> => {
  const { fee, monthly_rate, released_on } = terms
  const judged = judgeFee(fee)
  if (Result.isFailure(judged)) return Result.fail(judged.failure)
  return Result.map(discountInstallments(terms), (installments) => {
    const rates = iofRatesOn(released_on)
    const principal_amount = principalOf(monthly_rate, installments)
    const iof_daily_amount = iofDaily(rates, monthly_rate, installments)
    const iof_additional_amount = iofAdditional(rates, principal_amount)
    const iof_amount = centavos(iof_daily_amount + iof_additional_amount)
    const fee_amount = feeOf(fee, principal_amount)
    return {
      installments,
      principal_amount,
      iof_daily_amount,
      iof_additional_amount,
      iof_amount,
      fee_amount,
      net_amount: centavos(principal_amount - iof_amount - fee_amount)
    }
  })
}
