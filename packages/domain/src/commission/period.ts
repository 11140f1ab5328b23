import { type Brand, Result } from "effect"
import { filterOf, type FilterParser } from "../input/Filter.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { type CalendarDate, calendarDate, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** A month in America/Sao_Paulo as text, `2026-11`. In text order, months are in order. */
export type Period = string & Brand.Brand<"Period">

/**
 * A period is a month in the form `YYYY-MM`, from 1900 to 2199.
 * @rule COMM-10
 */
export const parsePeriod: TextParser<Period> = (input) => {
  const text = input.trim()
  return /^(19|2[01])\d\d-(0[1-9]|1[0-2])$/.test(text)
    ? Result.succeed(text as Period)
    : Result.fail(invalidFormat("YYYY-MM"))
}

/** The schema of a period. */
export const Period =
  /* @__PURE__ */ (() =>
    schemaOfParser<Period>(parsePeriod, { description: "São Paulo month, YYYY-MM", examples: ["2026-11"] }))()

export const parsePeriodFilter: FilterParser<Period> = filterOf(parsePeriod)

/** Returns the month of a day. */
export const periodOf = (date: CalendarDate): Period => date.slice(0, 7) as Period

const shiftPeriod = (period: Period, months: 1 | -1): Period => {
  const [year = 0, month = 0] = period.split("-").map(Number)
  const shifted = year * 12 + month - 1 + months
  return `${Math.floor(shifted / 12)}-${String(shifted % 12 + 1).padStart(2, "0")}` as Period
}

export const nextPeriod = (period: Period): Period => shiftPeriod(period, 1)

export const previousPeriod = (period: Period): Period => shiftPeriod(period, -1)

const dayMs = 86_400_000

/** Returns the first and the last day of a month. */
export const daysOfPeriod = (period: Period): { readonly first: CalendarDate; readonly last: CalendarDate } => {
  const [year = 0, month = 0] = period.split("-").map(Number)
  const days = (Date.UTC(year, month) - Date.UTC(year, month - 1)) / dayMs
  return { first: calendarDate(`${period}-01`), last: calendarDate(`${period}-${days}`) }
}

/**
 * The period of an entry is the month in which it is written, in America/Sao_Paulo. If the partner's month is closed,
 * the period is the first later month that is not. `closed` are the closed months of the partner.
 * @rule COMM-11
 */
export const periodOfEntry = (at: Timestamp, closed: ReadonlySet<Period>): Period => {
  let period = periodOf(saoPauloDate(at))
  while (closed.has(period)) period = nextPeriod(period)
  return period
}
