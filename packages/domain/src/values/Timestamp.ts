import { DateTime, Effect, Schema } from "effect"

/** An instant in UTC as ISO 8601 text with milliseconds, `2026-01-31T12:00:00.000Z`. Sorting the texts sorts the instants. */
export const Timestamp = /* @__PURE__ */ (() =>
  Schema.String.annotate({
    description: "Instant in UTC, ISO 8601 with milliseconds",
    format: "date-time",
    examples: ["2026-01-31T12:00:00.000Z"]
  }).check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)).pipe(Schema.brand("Timestamp")))()
export type Timestamp = typeof Timestamp.Type

/** Returns the instant `milliseconds` after 1970-01-01T00:00:00Z. */
export const timestampOf = (milliseconds: number): Timestamp => new Date(milliseconds).toISOString() as Timestamp

/** Returns the milliseconds since 1970-01-01T00:00:00Z. */
export const millisOf = (timestamp: Timestamp): number => Date.parse(timestamp)

/** Returns the current time of Effect's clock. A use case reads it once and passes it to the rules. */
export const currentTimestamp: Effect.Effect<Timestamp> = /* @__PURE__ */ Effect.map(
  DateTime.now,
  (at) => timestampOf(at.epochMilliseconds)
)
