import { Decimal } from "decimal.js"
import { type OfferTerms } from "../../src/offer/PricedOffer.ts"

/** Forty digits of precision. A price has at most fifteen. */
const D = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP })

const dayMs = 86_400_000
const one = new D(1)

/** Costs of terms by the literal formulas, in decimals of forty digits. Amounts are in centavos. */
export interface ExactPrice {
  /** Unrounded present values. */
  readonly values: ReadonlyArray<Decimal>
  readonly principal: number
  readonly iofDaily: number
  readonly iofAdditional: number
  readonly fee: number
  readonly net: number
  /** The net amount without any rounding. */
  readonly unroundedNet: Decimal
  /** In percent, with six decimals. */
  readonly annualRate: number
}

const daysOf = ({ installments, released_on }: OfferTerms): ReadonlyArray<number> =>
  installments.map(({ due_date }) => (Date.parse(due_date) - Date.parse(released_on)) / dayMs)

/**
 * Present values of the instalments under a growth factor for each period of `periodDays` days. Whole periods are exact. The
 * others use the daily factor, because a root and an integer power are much cheaper than a power for each instalment.
 */
const presentValues = (terms: OfferTerms, growth: Decimal, periodDays: Decimal.Value): ReadonlyArray<Decimal> => {
  const daily = growth.pow(one.div(periodDays))
  return daysOf(terms).map((days, index) => {
    const periods = new D(days).div(periodDays)
    return new D(terms.installments[index]!.amount).div(periods.isInteger() ? growth.pow(periods) : daily.pow(days))
  })
}

const sum = (all: ReadonlyArray<Decimal>): Decimal => all.reduce((total, next) => total.plus(next), new D(0))

/** Prices terms in exact decimals. */
export const priceExactly = (terms: OfferTerms): ExactPrice => {
  const { fee, monthly_rate } = terms
  const days = daysOf(terms)
  const growth = one.plus(new D(monthly_rate).div(100))
  const values = presentValues(terms, growth, 30)
  const share = fee.kind === "percent" ? new D(fee.percent).div(100) : new D(0)
  const fixed = fee.kind === "fixed" ? fee.amount : 0
  const unroundedPrincipal = sum(values)
  const unroundedDaily = sum(values.map((value, index) => value.times("0.000082").times(Math.min(days[index]!, 365))))
  const principal = unroundedPrincipal.round()
  const iofDaily = unroundedDaily.round()
  const iofAdditional = principal.times("0.0038").round()
  const charged = principal.times(share).round().plus(fixed)
  return {
    values,
    principal: principal.toNumber(),
    iofDaily: iofDaily.toNumber(),
    iofAdditional: iofAdditional.toNumber(),
    fee: charged.toNumber(),
    net: principal.minus(iofDaily).minus(iofAdditional).minus(charged).toNumber(),
    unroundedNet: unroundedPrincipal.times(one.minus("0.0038").minus(share)).minus(unroundedDaily).minus(fixed),
    annualRate: growth.pow(12).minus(1).times(100).toDecimalPlaces(6).toNumber()
  }
}

/**
 * True if a cost in percent, compounded `periods` times a year, is the exact cost rounded half even to two decimals. It needs
 * no root finding: at 0.005 below the cost the present value exceeds the net amount, and at 0.005 above it falls short.
 */
export const isCostRounded = (terms: OfferTerms, net: number, cost: number, periods: number): boolean => {
  const periodDays = new D(365).div(periods)
  const excess = (percent: Decimal): number => {
    const difference = sum(presentValues(terms, one.plus(percent.div(100)), periodDays)).minus(net)
    return difference.abs().lessThan("1e-15") ? 0 : difference.s
  }
  const below = excess(new D(cost).minus("0.005"))
  const above = excess(new D(cost).plus("0.005"))
  const isEven = new D(cost).times(100).mod(2).isZero()
  return isEven ? below >= 0 && above <= 0 : below > 0 && above < 0
}
