import { type OfferTerms, type PricedOffer } from "@lastro/domain"
import { accepted, refused } from "../Answer.ts"

const day = 86_400_000

const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / day

const cetOf = (net: number, amounts: ReadonlyArray<number>, days: ReadonlyArray<number>): number => {
  let rate = 0.3
  for (let step = 0; step < 100; step++) {
    let excess = -net
    let slope = 0
    for (let index = 0; index < amounts.length; index++) {
      const years = days[index]! / 365
      const value = amounts[index]! / Math.pow(1 + rate, years)
      excess += value
      slope -= years * value / (1 + rate)
    }
    const next = rate - excess / slope
    if (Math.abs(next - rate) < 1e-12) return next
    rate = next
  }
  throw new Error("the cost was not found")
}

const twoDecimals = (value: number): number => Math.round(value * 100) / 100

/**
 * The same price as one would write it at first: floating point and Math.round throughout, Newton's method from 30 %
 * without a proof that it ends, nothing checked, ties left to chance.
 */
export const priceByHand = ({ fee, installments, monthly_rate, released_on }: OfferTerms) => {
  const rate = monthly_rate / 100
  const amounts = installments.map(({ amount }) => amount as number)
  const days = installments.map(({ due_date }) => daysFrom(released_on, due_date))
  const values = amounts.map((amount, index) => amount / Math.pow(1 + rate, days[index]! / 30))
  const principal = Math.round(values.reduce((sum, value) => sum + value, 0))
  const daily = Math.round(
    values.reduce((sum, value, index) => sum + value * 0.000082 * Math.min(days[index]!, 365), 0)
  )
  const additional = Math.round(principal * 0.0038)
  const charged = fee.kind === "none"
    ? 0
    : fee.kind === "fixed"
    ? fee.amount
    : Math.round(principal * fee.percent / 100)
  const net = principal - daily - additional - charged
  if (net <= 0) return refused("the fees exceed the principal")
  const cet = cetOf(net, amounts, days)
  let left = principal
  return accepted(
    {
      gross_amount: amounts.reduce((sum, amount) => sum + amount, 0),
      principal_amount: principal,
      iof_daily_amount: daily,
      iof_additional_amount: additional,
      iof_amount: daily + additional,
      fee_amount: charged,
      net_amount: net,
      monthly_rate,
      annual_rate: Math.round((Math.pow(1 + rate, 12) - 1) * 1e8) / 1e6,
      monthly_cet: twoDecimals((Math.pow(1 + cet, 1 / 12) - 1) * 100),
      annual_cet: twoDecimals(cet * 100),
      installments: installments.map(({ amount, due_date }, index) => {
        const part = index === installments.length - 1 ? left : Math.round(values[index]!)
        left -= part
        return {
          number: index + 1,
          due_date,
          amount,
          principal_amount: part,
          interest_amount: amount - part,
          calendar_days: days[index]!
        }
      })
    } satisfies Record<keyof PricedOffer, unknown>
  )
}
