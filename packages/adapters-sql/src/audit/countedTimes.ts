import { type AuditFilters } from "@lastro/domain/audit"
import { millisOf, timestampOf } from "@lastro/domain/values"

const hour = 3_600_000
const day = 24 * hour

/** A time range: `since` is inclusive, `until` exclusive. */
interface TimeRange {
  readonly since: string
  readonly until: string
}

/** A time range that stored counts cover completely, and the period that each of these counts covers. */
interface CountedRange extends TimeRange {
  readonly grain: "ever" | "day" | "hour"
}

/** The parts of a time range: those that stored counts cover, and the others. */
export interface CountedTimes {
  readonly counted: ReadonlyArray<CountedRange>
  readonly others: ReadonlyArray<TimeRange>
}

const textOf = (millis: number): string =>
  millis === -Infinity ? "-infinity" : millis === Infinity ? "infinity" : timestampOf(millis)

/** Returns a list with the time range, or an empty list if the range is empty. */
const range = (since: number, until: number): ReadonlyArray<TimeRange> =>
  since < until ? [{ since: textOf(since), until: textOf(until) }] : []

/**
 * Splits a time range into whole days, whole hours, and the remaining parts of an hour, in UTC. If the range has
 * no limits, a single count covers it.
 */
export const countedTimes = ({ from, to }: Pick<AuditFilters, "from" | "to">): CountedTimes => {
  if (from === undefined && to === undefined) {
    return { counted: [{ grain: "ever", since: "-infinity", until: "infinity" }], others: [] }
  }
  const start = from === undefined ? -Infinity : millisOf(from)
  const end = Math.max(start, to === undefined ? Infinity : millisOf(to))
  const up = (length: number) => Math.ceil(start / length) * length
  const down = (length: number) => Math.floor(end / length) * length
  const counted = (grain: "day" | "hour", since: number, until: number): ReadonlyArray<CountedRange> =>
    range(since, until).map((times) => ({ grain, ...times }))
  if (up(hour) > down(hour)) return { counted: [], others: range(start, end) }
  const hours = up(day) < down(day)
    ? [...counted("hour", up(hour), up(day)), ...counted("hour", down(day), down(hour))]
    : counted("hour", up(hour), down(hour))
  return {
    counted: [...counted("day", up(day), down(day)), ...hours],
    others: [...range(start, up(hour)), ...range(down(hour), end)]
  }
}
