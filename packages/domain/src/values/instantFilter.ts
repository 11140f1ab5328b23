import { Result } from "effect"
import { type Problem, problem } from "../input/FieldProblem.ts"
import { filterOf, type FilterParser } from "../input/Filter.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { addDays, firstDate, parseCalendarDate, saoPauloMidnight } from "./CalendarDate.ts"
import { parseTimestamp } from "./parseTimestamp.ts"
import { type Timestamp } from "./Timestamp.ts"

/** Restores the `+` of a UTC offset. In a query string, an unescaped `+` is decoded as a space. */
const unescaped = (text: string): string => text.replace(/ (?=\d\d:\d\d$)/, "+")

/** Parses an instant. The error also names the format of a day, because the filters accept both. */
const parseInstant = (text: string): Result.Result<Timestamp, Problem> =>
  Result.mapError(
    parseTimestamp(unescaped(text)),
    (problem) => problem.code === "INVALID_FORMAT" ? invalidFormat("YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ") : problem
  )

/** The last calendar date that has a next day. */
const lastDay = "2199-12-30"

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text.trim())

/**
 * The lower bound of a time filter is an instant or a calendar day, and is inclusive. A day begins at its first instant
 * in America/Sao_Paulo.
 * @rule PAGE-24
 */
export const parseFromFilter: FilterParser<Timestamp> = filterOf((text) =>
  isDate(text) ? Result.map(parseCalendarDate(text), saoPauloMidnight) : parseInstant(text)
)

/**
 * The upper bound of a time filter is an instant (exclusive) or a calendar day in America/Sao_Paulo (inclusive). In
 * both cases, the parsed value is the first instant after the filtered range.
 * @rule PAGE-25
 */
export const parseToFilter: FilterParser<Timestamp> = filterOf((text) =>
  isDate(text)
    ? Result.flatMap(parseCalendarDate(text), (date) =>
      date > lastDay
        ? Result.fail(problem("OUT_OF_RANGE", { min: firstDate, max: lastDay }))
        : Result.succeed(saoPauloMidnight(addDays(date, 1))))
    : parseInstant(text)
)
