import {
  availableInstallments,
  checkPolicy,
  policyOn,
  type PricedOffer,
  priceOffer,
  reduceToDesired
} from "@lastro/domain/offer"
import { centavosOfReais, parseCalendarDate, parsePercent } from "@lastro/domain/values"

/** A request for a price. Amounts are in reais, dates are `YYYY-MM-DD`, and the rate is in percent per month. */
export interface PriceRequest {
  readonly balance: number
  readonly birth_date: string
  readonly released_on: string
  readonly monthly_rate: number
  /** The desired net amount. Default: the maximum. */
  readonly desired_amount?: number
}

/** Prices an advance on FGTS withdrawals. Returns the code of the problem if no price is possible. */
export const quote = (request: PriceRequest): PricedOffer | string => {
  const balance = centavosOfReais(request.balance)
  if (balance._tag === "Failure") return `balance: ${balance.failure.code}`
  const birth_date = parseCalendarDate(request.birth_date)
  if (birth_date._tag === "Failure") return `birth_date: ${birth_date.failure.code}`
  const released_on = parseCalendarDate(request.released_on)
  if (released_on._tag === "Failure") return `released_on: ${released_on.failure.code}`
  const monthly_rate = parsePercent(request.monthly_rate)
  if (monthly_rate._tag === "Failure") return `monthly_rate: ${monthly_rate.failure.code}`
  const desired = request.desired_amount === undefined ? undefined : centavosOfReais(request.desired_amount)
  if (desired?._tag === "Failure") return `desired_amount: ${desired.failure.code}`

  // The policy in force on the release date limits the number and the amount of the withdrawals.
  const policy = policyOn(released_on.success)
  const installments = availableInstallments({
    balance: balance.success,
    birth_date: birth_date.success,
    released_on: released_on.success,
    policy,
    max_installments: null
  })
  const obeyed = checkPolicy(policy, installments.map(({ amount }) => amount))
  if (obeyed._tag === "Failure") return obeyed.failure.reason

  const terms = reduceToDesired(
    {
      released_on: released_on.success,
      monthly_rate: monthly_rate.success,
      fee: { kind: "none" },
      installments
    },
    desired === undefined ? null : desired.success,
    policy.min_installment
  )
  if (terms._tag === "Failure") return terms.failure._tag
  const priced = priceOffer(terms.success)
  return priced._tag === "Failure" ? priced.failure._tag : priced.success
}
