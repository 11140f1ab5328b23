import { type CalendarDate, calendarDate } from "../values/CalendarDate.ts"
import { type Centavos } from "../values/Centavos.ts"
import { annualWithdrawals } from "./annualWithdrawals.ts"
import { type FgtsPolicy } from "./FgtsPolicy.ts"
import { type DueAmount } from "./PricedOffer.ts"

const dayOneOf = (birth_date: CalendarDate): string => `${birth_date.slice(5, 7)}-01`

/** Returns the year in which the first annual withdrawal after a day is due. */
export const nextDueYear = (day: CalendarDate, birth_date: CalendarDate): number => {
  const year = Number(day.slice(0, 4))
  return day.slice(5) < dayOneOf(birth_date) ? year : year + 1
}

/**
 * Annual withdrawals are due on day 1 of the birth month. The first withdrawal is due on the first such day after the
 * release day, and each later withdrawal one year after the previous one.
 *
 * Source: Lei 8.036/1990, art. 20, XX (each year, in the birth month).
 * @rule POLICY-05
 */
export const dueDates = (
  released_on: CalendarDate,
  birth_date: CalendarDate,
  count: number
): ReadonlyArray<CalendarDate> => {
  const first = nextDueYear(released_on, birth_date)
  return Array.from({ length: count }, (_, index) => calendarDate(`${first + index}-${dayOneOf(birth_date)}`))
}

/**
 * Annual withdrawals become instalments in order. An amount above the policy's maximum is reduced to the maximum. The
 * first amount below the minimum ends the list, because later amounts are no greater. The number
 * of instalments is at most the maximum of the policy, and that of the request.
 *
 * Source: Resolução CCFGTS 958/2020, as changed by Resolução CCFGTS 1.130/2025.
 * @rule POLICY-06
 */
export const installmentAmounts = (
  withdrawals: ReadonlyArray<Centavos>,
  policy: FgtsPolicy,
  max_installments: number | null = null
): ReadonlyArray<Centavos> => {
  const { max_installment, min_installment } = policy
  const count = Math.min(policy.max_installments, max_installments ?? policy.max_installments)
  const capped = withdrawals.slice(0, count).map((amount) =>
    max_installment !== null && amount > max_installment ? max_installment : amount
  )
  const end = capped.findIndex((amount) => amount <= 0 || (min_installment !== null && amount < min_installment))
  return end < 0 ? capped : capped.slice(0, end)
}

/** Returns all instalments that the policy and the request allow for a balance, in order. */
export const availableInstallments = (
  { balance, birth_date, max_installments, policy, released_on }: {
    readonly balance: Centavos
    readonly birth_date: CalendarDate
    readonly released_on: CalendarDate
    readonly policy: FgtsPolicy
    /** The requested maximum. Null: as many as the policy allows. */
    readonly max_installments: number | null
  }
): ReadonlyArray<DueAmount> => {
  const amounts = installmentAmounts(
    annualWithdrawals(balance, policy.max_installments),
    policy,
    max_installments
  )
  return dueDates(released_on, birth_date, amounts.length).flatMap((due_date, index) => {
    const amount = amounts[index]
    return amount === undefined ? [] : [{ due_date, amount }]
  })
}
