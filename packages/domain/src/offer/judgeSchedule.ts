import { businessDayFrom } from "../values/businessDay.ts"
import { type CalendarDate, daysBetween } from "../values/CalendarDate.ts"
import { type OfferFault } from "./OfferFault.ts"
import { type PricedInstallment } from "./PricedOffer.ts"

/**
 * The longest term of an offer, in years. No policy has allowed more than ten annual withdrawals. If a customer has
 * pledged ten years elsewhere, ten free years remain within this term.
 */
const maxTermYears = 20

/**
 * Returns the date a number of years later, as a text for comparisons. 29 February stays 29 February, even in a common
 * year.
 */
const yearsAfter = (date: CalendarDate, years: number): string => `${Number(date.slice(0, 4)) + years}${date.slice(4)}`

/**
 * The latest release day is the day of the lender's answer, or the next business day. A lender pays on business days
 * only.
 * @rule FGTS-45
 */
export const latestReleaseDay = (answered_on: CalendarDate): CalendarDate => businessDayFrom(answered_on)

/** The dates against which the schedule of an offer is checked. */
export interface ScheduleDates {
  readonly birth_date: CalendarDate
  /** The earliest release day. */
  readonly released_on: CalendarDate
  /** The latest release day. */
  readonly released_by: CalendarDate
}

const faultOf = (
  { calendar_days, due_date, number }: PricedInstallment,
  index: number,
  before: PricedInstallment | undefined,
  { birth_date, released_by, released_on }: ScheduleDates
): OfferFault | undefined => {
  if (number !== index + 1) return "NOT_NUMBERED"
  if (!(due_date > released_on)) return "DUE_TOO_EARLY"
  if (!(due_date <= yearsAfter(released_on, maxTermYears))) return "DUE_TOO_LATE"
  if (before !== undefined && !(due_date > before.due_date)) return "NOT_ASCENDING"
  if (due_date.slice(5, 7) !== birth_date.slice(5, 7)) return "OUTSIDE_BIRTH_MONTH"
  if (before !== undefined && due_date.slice(0, 4) === before.due_date.slice(0, 4)) return "TWO_IN_ONE_YEAR"
  const shortest = Math.max(daysBetween(released_by, due_date), 1)
  const longest = daysBetween(released_on, due_date)
  const hasSameRelease = before === undefined ||
    calendar_days - before.calendar_days === daysBetween(before.due_date, due_date)
  return hasSameRelease && calendar_days >= shortest && calendar_days <= longest ? undefined : "WRONG_DAYS"
}

/**
 * The due dates of an offer are in the customer's birth month, at most one in a year.
 *
 * - The instalments are numbered 1, 2, 3 and so on, in strictly ascending order of due date.
 * - A due date can be any day of the month. A year can be left out, because it can be pledged elsewhere.
 * - All due dates are after the release day, by at most 20 years.
 * - The release day is the day of the quote, or a later day until the latest release day (FGTS-45). It is the same for
 *   all instalments.
 * - The `calendar_days` of an instalment are the days from the release day to its due date.
 * @rule FGTS-38
 */
export const judgeSchedule = (
  installments: ReadonlyArray<PricedInstallment>,
  dates: ScheduleDates
): OfferFault | undefined => {
  for (const [index, installment] of installments.entries()) {
    const fault = faultOf(installment, index, installments[index - 1], dates)
    if (fault !== undefined) return fault
  }
  return undefined
}
