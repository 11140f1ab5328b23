import { fractionOf, type Percent, percent } from "../../money/Percent.ts"
import { divideHalfUp } from "../../money/rounding.ts"
import { halfUp } from "./halfUp.ts"

/** Compounds a monthly rate, in units of 10^-8, over twelve months exactly. Returns millionths of a percent. */
const exactly = (hundredMillionths: number): number =>
  Number(divideHalfUp((10n ** 8n + BigInt(hundredMillionths)) ** 12n - 10n ** 96n, 10n ** 88n))

/**
 * The annual rate is (1 + monthly rate)^12 − 1, in percent, rounded half up to six decimals. The monthly rate is 0 to 100 %.
 * @rule PRICE-11
 */
export const annualRate = (monthly_rate: Percent): Percent => {
  const fraction = fractionOf(monthly_rate)
  const millionths = Math.expm1(12 * Math.log1p(fraction)) * 1e8
  return percent(halfUp(millionths, () => exactly(Math.round(fraction * 1e8))) / 1e6)
}
