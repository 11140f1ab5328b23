import {
  centavosOfReais,
  mostInstallments,
  obeysPolicy,
  parseCalendarDate,
  parsePercent,
  policyOn,
  type PricedOffer,
  priceOffer,
  reduceToDesired
} from "@lastro/domain"

/** What somebody asks for: amounts in reais, days as `YYYY-MM-DD`, the rate in percent a month. */
export interface Wanted {
  readonly balance: number
  readonly birth_date: string
  readonly released_on: string
  readonly monthly_rate: number
  /** The net amount that is enough; as much as there is when left out. */
  readonly desired_amount?: number
}

/** Prices an anticipation of FGTS withdrawals, or says in a word why there is none. */
export const quote = (wanted: Wanted): PricedOffer | string => {
  const balance = centavosOfReais(wanted.balance)
  if (balance._tag === "Failure") return `balance: ${balance.failure.code}`
  const birth_date = parseCalendarDate(wanted.birth_date)
  if (birth_date._tag === "Failure") return `birth_date: ${birth_date.failure.code}`
  const released_on = parseCalendarDate(wanted.released_on)
  if (released_on._tag === "Failure") return `released_on: ${released_on.failure.code}`
  const monthly_rate = parsePercent(wanted.monthly_rate)
  if (monthly_rate._tag === "Failure") return `monthly_rate: ${monthly_rate.failure.code}`
  const desired = wanted.desired_amount === undefined ? undefined : centavosOfReais(wanted.desired_amount)
  if (desired?._tag === "Failure") return `desired_amount: ${desired.failure.code}`

  // The rule table in force on the day: how many withdrawals, and how much of each.
  const policy = policyOn(released_on.success)
  const installments = mostInstallments({
    balance: balance.success,
    birth_date: birth_date.success,
    released_on: released_on.success,
    policy,
    max_installments: null
  })
  const obeyed = obeysPolicy(policy, installments.map(({ amount }) => amount))
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
