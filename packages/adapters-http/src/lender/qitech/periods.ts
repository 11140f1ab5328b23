import { areNextWithdrawals, type DueAmount, type QuoteWish } from "@lastro/domain/offer"
import { businessDayFrom, type CalendarDate, centavos, centavosHalfUp, parseCalendarDate } from "@lastro/domain/values"
import { Result } from "effect"
import { numberAt, textAt } from "./json.ts"
import { type InstallmentPolicy } from "./QitechOptions.ts"

/** Reads the periods of a balance: the annual withdrawals that are still available. Omits unreadable ones. */
export const periodsOf = (list: ReadonlyArray<unknown>): ReadonlyArray<DueAmount> =>
  list.flatMap((period) => {
    const due_date = Result.getOrElse(parseCalendarDate(textAt(period, "due_date") ?? ""), () => null)
    const amount = numberAt(period, "amount")
    return due_date === null || amount === null || amount <= 0 || amount > 1e9
      ? []
      : [{ due_date, amount: centavosHalfUp(amount) }]
  })

/**
 * Converts the periods of a balance to instalments, in the order of their due dates. Uses only periods after the
 * release day that the policy allows (POLICY-08), and of these only the first of each year. Reduces an amount above the
 * policy's maximum to this maximum. Omits periods below the minimum amount, and those above the maximum number.
 */
export const installmentsFor = (
  periods: ReadonlyArray<DueAmount>,
  { birth_date, released_on }: { readonly birth_date: CalendarDate; readonly released_on: CalendarDate },
  { max_installment, max_installments, min_installment, next_only }: InstallmentPolicy,
  wish: Pick<QuoteWish, "max_installments">
): ReadonlyArray<DueAmount> => {
  // The contract is made on the release day and paid on the next business day. The withdrawal must come after both.
  const isNext = (period: DueAmount) =>
    [released_on, businessDayFrom(released_on)].every((day) =>
      areNextWithdrawals([period], { birth_date, policy: { max_installments, next_only }, released_on: day })
    )
  return periods
    .filter(({ amount, due_date }) => due_date > released_on && amount >= (min_installment ?? 1))
    .toSorted((a, b) => a.due_date < b.due_date ? -1 : 1)
    .filter(isNext)
    .filter(({ due_date }, index, all) => due_date.slice(0, 4) !== all[index - 1]?.due_date.slice(0, 4))
    .map(({ amount, due_date }) => ({ due_date, amount: centavos(Math.min(amount, max_installment ?? amount)) }))
    .slice(0, Math.min(max_installments, wish.max_installments ?? max_installments))
}
