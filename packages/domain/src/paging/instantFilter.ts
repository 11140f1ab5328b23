import { Result } from "effect"
import { addDays, parseCalendarDate, saoPauloMidnight } from "../time/CalendarDate.ts"
import { parseTimestamp } from "../time/parseTimestamp.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { problem } from "../validation/FieldProblem.ts"
import { filterOf, type FilterParser } from "./Filter.ts"

/** A `+` in a query is a space unless it was escaped, and who writes an offset forgets to. */
const unescaped = (text: string): string => text.replace(/ (?=\d\d:\d\d$)/, "+")

/** The last day that a calendar date can be: it has no next one. */
const lastDay = "2199-12-31"

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text.trim())

/**
 * The lower bound of a time is an instant, or the first one of a day in America/Sao_Paulo; it is inclusive.
 * @rule PAGE-24
 */
export const parseFromFilter: FilterParser<Timestamp> = filterOf((text) =>
  isDate(text) ? Result.map(parseCalendarDate(text), saoPauloMidnight) : parseTimestamp(unescaped(text))
)

/**
 * The upper bound of a time is an instant, exclusive, or a day in America/Sao_Paulo, inclusive; either way it is read as the
 * first instant that is out.
 * @rule PAGE-25
 */
export const parseToFilter: FilterParser<Timestamp> = filterOf((text) =>
  isDate(text)
    ? Result.flatMap(parseCalendarDate(text), (date) =>
      date < lastDay ? Result.succeed(saoPauloMidnight(addDays(date, 1))) : Result.fail(problem("OUT_OF_RANGE")))
    : parseTimestamp(unescaped(text))
)
