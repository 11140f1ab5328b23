import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import {
  addDays,
  CalendarDate,
  calendarDate,
  daysBetween,
  parseCalendarDate,
  saoPauloDate,
  saoPauloMidnight
} from "../../src/values/CalendarDate.ts"
import { millisOf, timestampOf } from "../../src/values/Timestamp.ts"

const dayMs = 86_400_000
const textOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Every day of the years 1901 to 2198, as days since 1970. */
const days = fc.integer({ min: Date.UTC(1901, 0) / dayMs, max: Date.UTC(2199, 0) / dayMs - 1 })
const dates = days.map((day) => calendarDate(textOf(day)))

/** The date in São Paulo by the platform's calendar. */
const shownInSaoPaulo = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Sao_Paulo",
  year: "numeric",
  month: "2-digit",
  day: "2-digit"
})

const codeOf = (text: string): string =>
  Result.match(parseCalendarDate(text), { onFailure: ({ code }) => code, onSuccess: (date) => date })

describe("CalendarDate", () => {
  it("TIME-01 a valid date is parsed and surrounding whitespace dropped", () => {
    for (const text of ["2026-01-31", "2024-02-29", "2000-02-29", "1900-01-01", "2199-12-31"]) {
      assert.deepStrictEqual<unknown>(parseCalendarDate(` ${text} `), Result.succeed(text))
    }
    fc.assert(fc.property(days, (day) => assert.strictEqual(codeOf(textOf(day)), textOf(day))), { numRuns: 1_000 })
  })

  it("TIME-01 an invalid date is rejected", () => {
    for (
      const text of [
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "2026-1-31",
        "31/01/2026",
        "20260131",
        "2026-01-31T00:00:00.000Z",
        "+002026-01-31",
        "",
        "0000-00-00"
      ]
    ) assert.strictEqual(codeOf(text), "INVALID_FORMAT", text)
    for (const text of ["1899-12-31", "2200-01-01", "0026-01-31", "9999-12-31"]) {
      assert.strictEqual(codeOf(text), "OUT_OF_RANGE", text)
    }
    assert.throws(() => calendarDate("2026-02-30"), RangeError, "not a calendar date: INVALID_FORMAT: 2026-02-30")
    // Any other text can be personal data.
    assert.throws(
      () => calendarDate("ana@example.com"),
      /^not a calendar date: INVALID_FORMAT: a text of 15 characters$/
    )
  })

  it("TIME-01 the encoded date is text in the same form", () => {
    const read = decode(CalendarDate)
    assert.deepStrictEqual<unknown>(read("2026-01-31"), Result.succeed("2026-01-31"))
    assert.isTrue(Result.isFailure(read("2026-02-30")))
    assert.isFalse(Schema.is(Schema.toType(CalendarDate))(" 2026-01-31"))
    const { schema } = Schema.toJsonSchemaDocument(CalendarDate)
    assert.strictEqual(schema["type"], "string")
  })

  it("TIME-02 a day in São Paulo begins three hours after the UTC day", () => {
    assert.strictEqual(saoPauloDate(timestampOf(Date.UTC(2026, 10, 1, 2, 59, 59, 999))), "2026-10-31")
    assert.strictEqual(saoPauloDate(timestampOf(Date.UTC(2026, 10, 1, 3))), "2026-11-01")
  })

  it("TIME-02 applies historical summer time", () => {
    assert.strictEqual(saoPauloDate(timestampOf(Date.UTC(2019, 0, 1, 1, 59, 59, 999))), "2018-12-31")
    assert.strictEqual(saoPauloDate(timestampOf(Date.UTC(2019, 0, 1, 2))), "2019-01-01")
  })

  it("TIME-02 TIME-03 the date of any instant equals the platform's calendar, including just before and after each midnight", () => {
    const instants = fc.tuple(days, fc.nat({ max: dayMs - 1 })).map(([day, millis]) => day * dayMs + millis)
    const midnights = fc.tuple(dates, fc.integer({ min: -1, max: 1 })).map(([date, by]) =>
      millisOf(saoPauloMidnight(date)) + by
    )
    const changes = fc.integer({ min: -1, max: 1 }).map((by) => Date.UTC(1914, 0, 1, 3, 6, 28) + by)
    fc.assert(
      fc.property(fc.oneof(instants, midnights, changes), (millis) => {
        assert.strictEqual(saoPauloDate(timestampOf(millis)), shownInSaoPaulo.format(millis))
      }),
      { numRuns: 5_000 }
    )
  })

  it("TIME-03 a day without a midnight begins at one o'clock", () => {
    assert.strictEqual(saoPauloMidnight(calendarDate("2018-11-04")), "2018-11-04T03:00:00.000Z")
    assert.strictEqual(saoPauloMidnight(calendarDate("2018-11-05")), "2018-11-05T02:00:00.000Z")
    assert.strictEqual(saoPauloMidnight(calendarDate("2026-11-01")), "2026-11-01T03:00:00.000Z")
  })

  it("TIME-02, TIME-03 a day begins at its first instant", () => {
    fc.assert(
      fc.property(dates, (date) => {
        const begin = millisOf(saoPauloMidnight(date))
        assert.strictEqual(saoPauloDate(timestampOf(begin)), date)
        assert.strictEqual(saoPauloDate(timestampOf(begin - 1)), addDays(date, -1))
      }),
      { numRuns: 2_000 }
    )
  })

  it("TIME-04 days between dates count calendar days, including leap days", () => {
    assert.strictEqual(daysBetween(calendarDate("2024-09-06"), calendarDate("2024-09-25")), 19)
    assert.strictEqual(daysBetween(calendarDate("2024-02-28"), calendarDate("2024-03-01")), 2)
    assert.strictEqual(daysBetween(calendarDate("2023-02-28"), calendarDate("2023-03-01")), 1)
    assert.strictEqual(daysBetween(calendarDate("1900-01-01"), calendarDate("2000-01-01")), 36_524)
    fc.assert(
      fc.property(days, days, (from, to) => {
        assert.strictEqual(daysBetween(calendarDate(textOf(from)), calendarDate(textOf(to))), to - from)
        assert.strictEqual(addDays(calendarDate(textOf(from)), to - from), textOf(to))
      }),
      { numRuns: 1_000 }
    )
  })

  it("dates sort as text in chronological order, and lie within the supported years", () => {
    fc.assert(fc.property(days, days, (a, b) => assert.strictEqual(textOf(a) < textOf(b), a < b)))
    assert.throws(() => addDays(calendarDate("2199-12-31"), 1), RangeError)
    assert.throws(() => saoPauloDate(timestampOf(Date.UTC(2201, 0))), RangeError)
  })
})
