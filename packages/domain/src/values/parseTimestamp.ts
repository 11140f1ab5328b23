import { Result } from "effect"
import { problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { isDay } from "./CalendarDate.ts"
import { type Timestamp, timestampOf } from "./Timestamp.ts"

const shape = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** The first and the last instant that are accepted. */
const bounds = { min: "1900-01-01T00:00:00.000Z", max: "2199-12-31T23:59:59.999Z" }

/**
 * An instant in a request has the format of RFC 3339, in UTC or with an offset, from 1900 to 2199. The seconds are
 * optional. The instant is stored in UTC with milliseconds.
 * @rule TIME-05
 */
export const parseTimestamp: TextParser<Timestamp> = (input) => {
  const [text, day = ""] = shape.exec(input.trim()) ?? []
  const millis = text === undefined ? Number.NaN : Date.parse(text)
  if (Number.isNaN(millis) || !isDay(day)) return Result.fail(invalidFormat("YYYY-MM-DDThh:mm:ssZ"))
  const year = new Date(millis).getUTCFullYear()
  return year < 1900 || year > 2199 ? Result.fail(problem("OUT_OF_RANGE", bounds)) : Result.succeed(timestampOf(millis))
}

/** The schema of an instant in a request. */
export const timestamp = /* @__PURE__ */ (() =>
  schemaOfParser<Timestamp>(parseTimestamp, {
    description: "Instant, ISO 8601 with a UTC offset. Stored in UTC with milliseconds.",
    format: "date-time",
    examples: ["2026-01-31T12:00:00.000Z"]
  }))()
