import { type CalendarDate, calendarDate } from "../values/CalendarDate.ts"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { fractionOf, type Percent, percent, percentOf } from "../values/Percent.ts"
import { type DiscountedInstallment } from "./discountInstallments.ts"
import { roundedSum } from "./exactSum.ts"
import { halfUp } from "./halfUp.ts"
import { exactValue } from "./principal.ts"

/** The rates of the tax on financial operations (IOF) on loans to natural persons, from a given day. */
export interface IofRates {
  readonly from: CalendarDate
  /** The daily rate. It applies to the principal of each instalment for each day until the due date. */
  readonly daily: Percent
  /** Maximum number of days for which the daily rate applies. */
  readonly max_days: number
  /** The additional rate. It applies once, to the whole principal. */
  readonly additional: Percent
}

const present: IofRates = {
  from: calendarDate("2022-01-01"),
  daily: percent(0.0082),
  max_days: 365,
  additional: percent(0.38)
}

/**
 * All rates, oldest first, without the temporary rates of 2020 and 2021.
 *
 * Source: Decreto 6.306/2007, art. 7.
 */
export const iofRates: ReadonlyArray<IofRates> = [present]

/**
 * The IOF rates in force on the release day apply. For days before the first rates, the first rates apply.
 *
 * Source: Decreto 6.306/2007, art. 7º.
 * @rule PRICE-15
 */
export const iofRatesOn = (date: CalendarDate): IofRates => iofRates.findLast(({ from }) => from <= date) ?? present

/**
 * The daily IOF is the sum, over all instalments, of unrounded present value × daily rate × days until the due date (at
 * most 365). The sum is rounded once, half up, to the centavo.
 *
 * Source: Decreto 6.306/2007, art. 7º, I, "b", 2 and § 1º.
 * @rule PRICE-05
 */
export const iofDaily = (
  { daily, max_days }: IofRates,
  monthly_rate: Percent,
  installments: ReadonlyArray<DiscountedInstallment>
): Centavos => {
  let valueDays = 0
  for (const { days, value } of installments) valueDays += value * Math.min(days, max_days)
  const exactly = (): number => {
    const millionths = BigInt(Math.round(fractionOf(daily) * 1e8))
    const sum = exactValue(monthly_rate, installments, ({ days }) => Math.min(days, max_days))
    return roundedSum(sum * millionths, 10n ** 8n)
  }
  return centavos(halfUp(valueDays * fractionOf(daily), exactly))
}

/**
 * The additional IOF is a percentage of the rounded principal, rounded half up to the centavo.
 *
 * Source: Decreto 6.306/2007, art. 7º, § 15.
 * @rule PRICE-06
 */
export const iofAdditional = ({ additional }: IofRates, principal: Centavos): Centavos =>
  percentOf(additional, principal)
