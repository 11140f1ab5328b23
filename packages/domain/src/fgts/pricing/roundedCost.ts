import { type Centavos } from "../../money/Centavos.ts"
import { type Percent, percent } from "../../money/Percent.ts"
import { type Discounted } from "./discounted.ts"
import { compareSum, exactSum } from "./exactSum.ts"
import { daysOfYear } from "./totalEffectiveCost.ts"

/** The search's result differs from the true growth factor by less than this share of it, for terms of a day or more. */
const relativeError = 1e-12

/** Whether the true cost is less than a tie, the tie itself, or greater: negative, zero, positive. */
const compareToTie = (
  below: number,
  net: Centavos,
  installments: ReadonlyArray<Discounted>,
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
 * A total effective cost is shown in percent with two decimals; halfway between two, the even last digit is taken
 * (NBR 5891).
 *
 * Where the cost found is too near a tie to trust, what the instalments are worth at the tie itself decides: more than
 * the net amount, and the true cost is greater. `cost` is a fraction of one for each of `periods` a year.
 * @rule PRICE-10
 */
export const roundedCost = (
  cost: number,
  net: Centavos,
  installments: ReadonlyArray<Discounted>,
  periods: 1 | 12
): Percent => {
  const hundredths = cost * 1e4
  const below = Math.floor(hundredths)
  if (Math.abs(hundredths - below - 0.5) > (hundredths + 1e4) * relativeError) {
    return percent(Math.round(hundredths) / 100)
  }
  const side = compareToTie(below, net, installments, periods)
  return percent((side < 0 || (side === 0 && below % 2 === 0) ? below : below + 1) / 100)
}
