import { type Brand, DateTime, Result } from "effect"
import { problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { millisOf, type Timestamp, timestampOf } from "./Timestamp.ts"

/** Returns whether a text of the form `YYYY-MM-DD` is an existing day. `Date.parse` alone would accept 30 February. */
export const isDay = (text: string): boolean => {
  const midnight = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

/** A calendar day as text, `2026-01-31`. The order of these texts is the order of the days. */
export type CalendarDate = string & Brand.Brand<"CalendarDate">

const shape = /^\d{4}-\d\d-\d\d$/
const dayMs = 86_400_000

/** The first calendar date. */
export const firstDate = "1900-01-01" as CalendarDate
const lastDate = "2199-12-31" as CalendarDate

let saoPaulo: DateTime.TimeZone.Named | undefined

/** Builds the time zone at its first use. Built at import, it would make the import of the domain 10 % slower. */
const timeZone = (): DateTime.TimeZone.Named => saoPaulo ??= DateTime.zoneMakeNamedUnsafe("America/Sao_Paulo")

const digit = (text: string, index: number): number => text.charCodeAt(index) - 48

/**
 * Returns the number of days since 1970-01-01. It parses the digits itself, because `Date.parse` takes three times as
 * long, and pricing does many conversions.
 */
const epochDayOf = (date: CalendarDate): number => {
  const year = digit(date, 0) * 1_000 + digit(date, 1) * 100 + digit(date, 2) * 10 + digit(date, 3)
  return Date.UTC(year, digit(date, 5) * 10 + digit(date, 6) - 1, digit(date, 8) * 10 + digit(date, 9)) / dayMs
}

const firstDay = /* @__PURE__ */ epochDayOf(firstDate)
const lastDay = /* @__PURE__ */ epochDayOf(lastDate)

const ofEpochDay = (day: number): CalendarDate => {
  if (!(day >= firstDay && day <= lastDay)) {
    throw new RangeError(`not a calendar date: OUT_OF_RANGE: day ${day} after 1970-01-01`)
  }
  return new Date(day * dayMs).toISOString().slice(0, 10) as CalendarDate
}

/** Returns a value without blanks at its ends if it is an existing day, `YYYY-MM-DD`. Undefined for any other value. */
export const dayOf = (value: unknown): string | undefined => {
  const text = typeof value === "string" ? value.trim() : ""
  return shape.test(text) && isDay(text) ? text : undefined
}

/**
 * A calendar date is an existing day in the form `YYYY-MM-DD`, from 1900 to 2199.
 * @rule TIME-01
 */
export const parseCalendarDate: TextParser<CalendarDate> = (input) => {
  const day = dayOf(input)
  if (day === undefined) return Result.fail(invalidFormat("YYYY-MM-DD"))
  return day < firstDate || day > lastDate
    ? Result.fail(problem("OUT_OF_RANGE", { min: firstDate, max: lastDate }))
    : Result.succeed(day as CalendarDate)
}

/** Returns a rejected text for an error message, or only its length if it does not look like a date or a time. */
const shown = (text: string): string =>
  /^[\d\s:.,/TZ+-]{1,40}$/.test(text) ? text : `a text of ${text.length} characters`

/** Brands a text as a calendar date. Throws a RangeError if {@link parseCalendarDate} refuses it. */
export const calendarDate = (text: string): CalendarDate =>
  Result.getOrThrowWith(
    parseCalendarDate(text),
    ({ code }) => new RangeError(`not a calendar date: ${code}: ${shown(text)}`)
  )

/** The schema of a calendar date. */
export const CalendarDate = /* @__PURE__ */ (() =>
  schemaOfParser<CalendarDate>(parseCalendarDate, {
    description: "Calendar day, YYYY-MM-DD",
    format: "date",
    examples: ["2026-01-31"],
    pattern: String.raw`^\s*\d{4}-\d\d-\d\d\s*$`
  }))()

/** The results of {@link startOfDay}. To compute one takes a hundred times as long as to look it up. */
const dayStarts = new Map<number, number>()

/** Returns the first instant of a day in America/Sao_Paulo. In: days since 1970-01-01. Out: milliseconds since then. */
const startOfDay = (day: number): number => {
  const known = dayStarts.get(day)
  if (known !== undefined) return known
  const zoned = DateTime.makeZonedUnsafe(day * dayMs, { timeZone: timeZone(), adjustForTimeZone: true })
  const start = DateTime.toEpochMillis(zoned)
  dayStarts.set(day, start)
  return start
}

/**
 * The date of an instant is its calendar day in America/Sao_Paulo. Throws a RangeError outside the years 1900 to 2199.
 * @rule TIME-02
 */
export const saoPauloDate = (at: Timestamp): CalendarDate => {
  const millis = millisOf(at)
  const day = Math.floor(millis / dayMs)
  return ofEpochDay(millis < startOfDay(day) ? day - 1 : day)
}

/**
 * A day begins at its first instant in America/Sao_Paulo: 00:00, or 01:00 on days when daylight saving time began at
 * midnight.
 * @rule TIME-03
 */
export const saoPauloMidnight = (date: CalendarDate): Timestamp => timestampOf(startOfDay(epochDayOf(date)))

/**
 * The number of days between two dates is the number of midnights between them, negative if `to` is before `from`.
 * @rule TIME-04
 */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number => epochDayOf(to) - epochDayOf(from)

/** Adds days to a date. Throws a RangeError outside the years 1900 to 2199. */
export const addDays = (date: CalendarDate, days: number): CalendarDate => ofEpochDay(epochDayOf(date) + days)
