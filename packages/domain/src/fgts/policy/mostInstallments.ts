import { type Centavos } from "../../money/Centavos.ts"
import { type CalendarDate } from "../../time/CalendarDate.ts"
import { type DueAmount } from "../pricing/PricedOffer.ts"
import { annualWithdrawals } from "./annualWithdrawals.ts"
import { dueDates } from "./dueDates.ts"
import { installmentAmounts } from "./installmentAmounts.ts"
import { type FgtsPolicy } from "./Policy.ts"

/** Returns the most instalments of a balance: every annual withdrawal that the policy allows, in order. */
export const mostInstallments = (
  { balance, birth_date, max_installments, policy, released_on }: {
    readonly balance: Centavos
    readonly birth_date: CalendarDate
    readonly released_on: CalendarDate
    readonly policy: FgtsPolicy
    /** The requested number; null for as many as allowed. */
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
