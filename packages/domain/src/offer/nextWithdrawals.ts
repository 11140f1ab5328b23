import { addDays, type CalendarDate, calendarDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type FgtsPolicy, policyOn } from "./FgtsPolicy.ts"
import { dueDates } from "./installments.ts"
import { type PricedInstallment } from "./PricedOffer.ts"

/** Returns the day from which the `calendar_days` of the first instalment are counted. Undefined without instalments. */
export const releaseDayOf = (
  [first]: ReadonlyArray<Pick<PricedInstallment, "calendar_days" | "due_date">>
): CalendarDate | undefined => first === undefined ? undefined : addDays(first.due_date, -first.calendar_days)

/**
 * From 1 November 2025 on, only the next annual withdrawals can be pledged, at most as many as the policy allows
 * instalments. They are those of the first years in which day 1 of the birth month is after the release day. Therefore
 * a due date in the month of the release is unlawful. Fewer instalments are lawful, and so is a gap: another bank can
 * hold the withdrawal of that year. Before this date, any year was lawful.
 *
 * Source: Lei 8.036/1990, art. 20-D, §§ 3º and 4º; Resolução CCFGTS 958/2020, as changed by Resolução CCFGTS
 * 1.130/2025.
 * @rule POLICY-08
 */
export const areNextWithdrawals = (
  installments: ReadonlyArray<Pick<PricedInstallment, "due_date">>,
  { birth_date, policy: { max_installments, next_only }, released_on }: {
    readonly birth_date: CalendarDate
    readonly policy: Pick<FgtsPolicy, "max_installments" | "next_only">
    readonly released_on: CalendarDate
  }
): boolean => {
  if (!next_only) return true
  const years = new Set(dueDates(released_on, birth_date, max_installments).map((date) => date.slice(0, 4)))
  return installments.every(({ due_date }) => years.has(due_date.slice(0, 4)))
}

/**
 * Returns the midnight in America/Sao_Paulo from which the first instalment can no longer be pledged: that of the due
 * date, or of day 1 of its month if only the next withdrawals can be pledged (POLICY-08). Empty without instalments.
 */
export const pledgeableUntil = (
  [first]: ReadonlyArray<Pick<PricedInstallment, "due_date">>
): ReadonlyArray<Timestamp> => {
  if (first === undefined) return []
  const { due_date } = first
  const dayOne = calendarDate(`${due_date.slice(0, 7)}-01`)
  const isNextOnly = policyOn(due_date).next_only
  return [saoPauloMidnight(isNextOnly ? dayOne : due_date)]
}
