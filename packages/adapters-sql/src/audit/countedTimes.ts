import { type AuditFilters } from "@lastro/domain/audit"
import { millisOf, timestampOf } from "@lastro/domain/values"

const hour = 3_600_000
const day = 24 * hour

/** A time range: `since` is inclusive, `until` exclusive. */
interface TimeRange {
  readonly since: string
  readonly until: string
}

/** A time range that stored counts cover completely, and the unit of these counts. */
interface CountedRange extends TimeRange {
  readonly grain: "ever" | "day" | "hour"
}

/** A time range in two parts: the ranges that stored counts cover (`counted`), and the rest (`others`). */
interface CountedTimes {
  readonly counted: ReadonlyArray<CountedRange>
  readonly others: ReadonlyArray<TimeRange>
}

const textOf = (millis: number): string => {
  if (millis === -Infinity) return "-infinity"
  return millis === Infinity ? "infinity" : timestampOf(millis)
}

/** Returns a list with the range, or an empty list if the range is empty. */
const range = (since: number, until: number): ReadonlyArray<TimeRange> =>
  since < until ? [{ since: textOf(since), until: textOf(until) }] : []

/**
 * Splits a time range into whole days, whole hours and the rest, in UTC. Without `from` and `to`, one count covers the
 * whole range.
 */
export const countedTimes = ({ from, to }: Pick<AuditFilters, "from" | "to">): CountedTimes => {
  if (from === undefined && to === undefined) {
    return { counted: [{ grain: "ever", since: "-infinity", until: "infinity" }], others: [] }
  }
  const start = from === undefined ? -Infinity : millisOf(from)
  const end = Math.max(start, to === undefined ? Infinity : millisOf(to))
  const counted = (grain: "day" | "hour", since: number, until: number): ReadonlyArray<CountedRange> =>
    range(since, until).map((times) => ({ grain, ...times }))
  const [firstHour, lastHour] = [Math.ceil(start / hour) * hour, Math.floor(end / hour) * hour]
  if (firstHour > lastHour) return { counted: [], others: range(start, end) }
  const [firstDay, lastDay] = [Math.ceil(start / day) * day, Math.floor(end / day) * day]
  const others = [...range(start, firstHour), ...range(lastHour, end)]
  if (firstDay >= lastDay) return { counted: counted("hour", firstHour, lastHour), others }
  const hours = [...counted("hour", firstHour, firstDay), ...counted("hour", lastDay, lastHour)]
  return { counted: [...counted("day", firstDay, lastDay), ...hours], others }
}
