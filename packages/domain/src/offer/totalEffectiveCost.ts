import { Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type Centavos } from "../values/Centavos.ts"

/** Number of days in a year, for total effective costs. Source: Resolução CMN 4.881/2020. */
export const daysOfYear = 365

/** A payment after the release. */
export interface Payment {
  /** The time from the release to the payment, in years. It is greater than zero. */
  readonly years: number
  /** The amount of the payment. It is greater than zero. */
  readonly amount: Centavos
}

/** The payments have no CET: the net amount is not positive, or is above their sum. */
export class NoEffectiveCost
  extends Refusal("NoEffectiveCost", "These payments have no total effective cost.", ["reason"])<{
    readonly reason: "NET_NOT_POSITIVE" | "NET_ABOVE_GROSS"
  }>
{}

/** An unrounded total effective cost (CET), as fractions. */
export interface TotalEffectiveCost {
  readonly annual: number
  readonly monthly: number
}

/**
 * The search for the rate ends when the product of its last step and the longest term (in years) is at most this number.
 * The remaining error is then about the square of this product.
 */
const smallStep = 1e-8

/**
 * The total effective cost (CET) is the annual rate, compounded annually, at which the present value of the payments
 * equals the net amount. One plus the monthly cost is the twelfth root of one plus the annual cost. Exactly one such
 * rate exists if the net amount is positive and not above the sum of the payments.
 *
 * Source: Resolução CMN 4.881/2020. A day is 1/365 of a year, and a month 1/12 of a year.
 *
 * The search always ends. Let x be the logarithm of one plus the rate. The logarithm of the present value is a convex
 * and decreasing function of x. Newton's method starts at x = 0, where the present value is greatest, so it approaches
 * the root from below and never passes it.
 * @rule PRICE-09
 */
export const totalEffectiveCost = (
  net: Centavos,
  payments: ReadonlyArray<Payment>
): Result.Result<TotalEffectiveCost, NoEffectiveCost> => {
  if (net <= 0) return Result.fail(new NoEffectiveCost({ reason: "NET_NOT_POSITIVE" }))
  let gross = 0
  let longest = 0
  for (const { amount, years } of payments) {
    gross += amount
    longest = Math.max(longest, years)
  }
  if (net > gross) return Result.fail(new NoEffectiveCost({ reason: "NET_ABOVE_GROSS" }))
  let x = 0
  let step: number
  do {
    let worth = 0
    let slope = 0
    for (const { amount, years } of payments) {
      const value = amount * Math.exp(-x * years)
      worth += value
      slope += value * years
    }
    step = Math.log(worth / net) * worth / slope
    x += step
  } while (step * longest > smallStep)
  return Result.succeed({ annual: Math.expm1(x), monthly: Math.expm1(x / 12) })
}
