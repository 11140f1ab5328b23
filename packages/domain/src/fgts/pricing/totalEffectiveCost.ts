import { Data, Result } from "effect"
import { type Centavos } from "../../money/Centavos.ts"

/** The days of a year in a total effective cost. Source: Resolução CMN 4.881/2020. */
export const daysOfYear = 365

/** A payment after the release. */
export interface Payment {
  /** Positive. */
  readonly years: number
  /** Positive. */
  readonly amount: Centavos
}

/** No non-negative rate makes the present value of the payments equal to the net amount. */
export class NoEffectiveCost extends Data.TaggedError("NoEffectiveCost")<{
  readonly reason: "NET_NOT_POSITIVE" | "NET_ABOVE_GROSS"
}> {}

/** An unrounded total effective cost (CET), as fractions. */
export interface TotalEffectiveCost {
  readonly annual: number
  readonly monthly: number
}

/** With a last step this small, as a share of the longest term, the error is of the order of its square. */
const smallStep = 1e-8

/**
 * The total effective cost (CET) is the annual rate at which the payments are worth the net amount on the day of the
 * release, years being compounded; the monthly one is its twelfth root. There is exactly one when the net amount is
 * positive and not above the sum of the payments.
 *
 * Source: Resolução CMN 4.881/2020; with days as 1/365 of a year, as it orders, or months as 1/12.
 *
 * The search always ends: with x the logarithm of one plus the rate, the logarithm of what the payments are worth is
 * convex and falls as x rises, so that Newton's method, begun at 0 where they are worth the most, rises to the root
 * without ever passing it.
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
