import { type CalendarDate, calendarDate } from "../../time/CalendarDate.ts"

/**
 * Annual withdrawals are due on day 1 of the birth month: the first on the first such day after the release day, the others yearly.
 * @rule POLICY-05
 */
export const dueDates = (
  released_on: CalendarDate,
  birth_date: CalendarDate,
  count: number
): ReadonlyArray<CalendarDate> => {
  const dayOne = `${birth_date.slice(5, 7)}-01`
  const year = Number(released_on.slice(0, 4))
  const first = released_on.slice(5) < dayOne ? year : year + 1
  return Array.from({ length: count }, (_, index) => calendarDate(`${first + index}-${dayOne}`))
}
