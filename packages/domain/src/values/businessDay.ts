import { addDays, type CalendarDate, calendarDate } from "./CalendarDate.ts"

/** National holidays with a fixed date, as `MM-DD`. Source: Leis 662/1949, 6.802/1980 and 14.759/2023. */
const fixedHolidays: ReadonlySet<string> = new Set([
  "01-01",
  "04-21",
  "05-01",
  "09-07",
  "10-12",
  "11-02",
  "11-15",
  "11-20",
  "12-25"
])

/**
 * Bank holidays as days after Easter Sunday: carnival, Good Friday and Corpus Christi. Source: Resolução CMN 4.880/2020.
 */
const holidaysFromEaster: ReadonlyArray<number> = [-48, -47, -2, 60]

/** Computes Easter Sunday of a year in the Gregorian calendar (Meeus' algorithm). */
const easterOf = (year: number): CalendarDate => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - c % 4) % 7
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114
  const day = String(f % 31 + 1).padStart(2, "0")
  return calendarDate(`${year}-0${Math.floor(f / 31)}-${day}`)
}

const isBusinessDay = (date: CalendarDate): boolean => {
  const weekday = new Date(`${date}T00:00:00.000Z`).getUTCDay()
  if (weekday === 0 || weekday === 6 || fixedHolidays.has(date.slice(5))) return false
  const easter = easterOf(Number(date.slice(0, 4)))
  return holidaysFromEaster.every((days) => addDays(easter, days) !== date)
}

/** Returns the date, or the next day that is no Saturday, no Sunday and no national bank holiday in Brazil. */
export const businessDayFrom = (date: CalendarDate): CalendarDate =>
  isBusinessDay(date) ? date : businessDayFrom(addDays(date, 1))
