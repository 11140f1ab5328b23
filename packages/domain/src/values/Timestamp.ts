import { Effect, Schema } from "effect"

/**
 * An instant in UTC as ISO 8601 text with milliseconds, `2026-01-31T12:00:00.000Z`. The order of these texts is the
 * order of the instants.
 */
export const Timestamp = /* @__PURE__ */ (() =>
  Schema.String.annotate({
    description: "Instant in UTC, ISO 8601 with milliseconds",
    format: "date-time",
    examples: ["2026-01-31T12:00:00.000Z"]
  }).check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)).pipe(Schema.brand("Timestamp")))()
export type Timestamp = typeof Timestamp.Type

const dayMillis = 86_400_000

/** The largest distance of a `Date` from 1970-01-01T00:00:00Z. */
const maxMillis = 8.64e15

/** The day of the last call: its number since 1970-01-01, and its text with the `T`. */
const lastDay = { day: Number.NaN, text: "" }

const twoDigits = (value: number): string => value < 10 ? `0${value}` : `${value}`

const threeDigits = (value: number): string => value < 100 ? `0${twoDigits(value)}` : `${value}`

/**
 * Returns the instant `milliseconds` after 1970-01-01T00:00:00Z. The date is formatted only if it differs from that of
 * the last call, because lists format many instants. This takes a third of the time of `toISOString`. Throws a
 * RangeError for an instant that a `Date` cannot have.
 */
export const timestampOf = (milliseconds: number): Timestamp => {
  const whole = Math.trunc(milliseconds)
  if (!(Math.abs(whole) <= maxMillis)) throw new RangeError("Invalid time value")
  const day = Math.floor(whole / dayMillis)
  if (day !== lastDay.day) {
    lastDay.text = new Date(whole).toISOString().slice(0, -13)
    lastDay.day = day
  }
  const time = whole - day * dayMillis
  const seconds = Math.floor(time / 1_000)
  const minutes = Math.floor(seconds / 60)
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
  return `${lastDay.text}${clock}.${threeDigits(time % 1_000)}Z` as Timestamp
}

/** Returns the milliseconds since 1970-01-01T00:00:00Z. */
export const millisOf = (timestamp: Timestamp): number => Date.parse(timestamp)

/** Returns the instant `milliseconds` after another one, or before it if the number is negative. */
export const addMillis = (timestamp: Timestamp, milliseconds: number): Timestamp =>
  timestampOf(millisOf(timestamp) + milliseconds)

/** Returns the current time of Effect's clock. A use case reads it once and passes it to the rules. */
export const currentTimestamp: Effect.Effect<Timestamp> = /* @__PURE__ */ Effect.clockWith((clock) =>
  Effect.succeed(timestampOf(clock.currentTimeMillisUnsafe()))
)

/** Tolerated difference between the clocks of the API consumer and this node, in milliseconds: 5 minutes. */
export const clockToleranceMs = 5 * 60_000
