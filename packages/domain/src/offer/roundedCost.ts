import { type Centavos } from "../values/Centavos.ts"
import { type Percent, percent } from "../values/Percent.ts"
import { type DiscountedInstallment } from "./discountInstallments.ts"
import { compareSum, exactSum } from "./exactSum.ts"
import { daysOfYear } from "./totalEffectiveCost.ts"

/** Upper bound of the relative error of `totalEffectiveCost`, for terms of at least one day. */
const costErrorFromOneDay = 1e-12

/**
 * Compares the true cost with the tie between `below` and the next hundredth of a percent. Returns a negative number,
 * zero or a positive number.
 */
const compareToTie = (
  below: number,
  net: Centavos,
  installments: ReadonlyArray<DiscountedInstallment>,
  periods: number
): number =>
  compareSum(
    exactSum(
      { numerator: 20_000n + 2n * BigInt(below) + 1n, denominator: 20_000n },
      daysOfYear,
      installments.map(({ amount, days }) => ({ weight: BigInt(amount), exponent: days * periods }))
    ),
    net
  )

/**
 * A total effective cost is rounded to a percentage with two decimals, half to even (ABNT NBR 5891). `cost` is the
 * unrounded cost per period, as a fraction. `periods` is the number of periods in a year.
 *
 * Near a tie, floating point cannot decide. There, the present value of the instalments is computed at the rate of the
 * tie. If it is greater than the net amount, the true cost is above the tie.
 * @rule PRICE-10
 */
export const roundedCost = (
  cost: number,
  net: Centavos,
  installments: ReadonlyArray<DiscountedInstallment>,
  periods: 1 | 12
): Percent => {
  const hundredths = cost * 1e4
  const below = Math.floor(hundredths)
  if (Math.abs(hundredths - below - 0.5) > (hundredths + 1e4) * costErrorFromOneDay) {
    return percent(Math.round(hundredths) / 100)
  }
  const side = compareToTie(below, net, installments, periods)
  const isRoundedDown = side < 0 || (side === 0 && below % 2 === 0)
  return percent((isRoundedDown ? below : below + 1) / 100)
}
