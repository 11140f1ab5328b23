import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { problem } from "../../src/input/FieldProblem.ts"
import { invalidFormat } from "../../src/input/TextFormat.ts"
import { addDays, calendarDate, saoPauloDate } from "../../src/values/CalendarDate.ts"
import { parseFromFilter, parseToFilter } from "../../src/values/instantFilter.ts"
import { type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"

const read = (parse: typeof parseFromFilter) => (text: string): string =>
  Result.match(parse(text), {
    onFailure: ({ code }) => code,
    onSuccess: Option.getOrElse(() => "no filter")
  })
const from = read(parseFromFilter)
const to = read(parseToFilter)

const dates = fc.integer({ min: -25_567, max: 84_005 }).map((day) =>
  calendarDate(new Date(day * 86_400_000).toISOString().slice(0, 10))
)
const instants = fc.integer({ min: Date.UTC(1900, 0, 2), max: Date.UTC(2199, 11, 31) }).map(timestampOf)

describe("bounds of an instant filter", () => {
  it("PAGE-24 PAGE-25 a day spans its first instant in São Paulo to the first of the next day", () => {
    assert.strictEqual(from("2026-01-31"), "2026-01-31T03:00:00.000Z")
    assert.strictEqual(to("2026-01-31"), "2026-02-01T03:00:00.000Z")
    // Clocks were put forward at midnight of 4 November 2018, so that day began at 01:00.
    assert.strictEqual(from("2018-11-04"), "2018-11-04T03:00:00.000Z")
    assert.strictEqual(to("2018-11-03"), from("2018-11-04"))
    const filters = fc.tuple(dates, instants)
    fc.assert(
      fc.property(filters, ([date, at]) => {
        const inside = from(date) <= at && at < to(date)
        assert.strictEqual(inside, saoPauloDate(at as Timestamp) === date)
      }),
      { numRuns: 500 }
    )
  })

  it("INPUT-02 a text that is neither a day nor an instant names both formats", () => {
    for (const parse of [parseFromFilter, parseToFilter]) {
      const bounds = { min: "1900-01-01T00:00:00.000Z", max: "2199-12-31T23:59:59.999Z" }
      const expected = "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"
      assert.deepStrictEqual(parse("yesterday"), Result.fail(invalidFormat(expected)))
      assert.deepStrictEqual(parse("1899-01-01T00:00:00Z"), Result.fail(problem("OUT_OF_RANGE", bounds)))
    }
    // The last day has no next day, so the upper bound can be at most the day before it.
    const days = { min: "1900-01-01", max: "2199-12-30" }
    assert.deepStrictEqual(parseToFilter("2199-12-31"), Result.fail(problem("OUT_OF_RANGE", days)))
    assert.isTrue(Result.isSuccess(parseToFilter(days.max)))
  })

  it("PAGE-24 PAGE-25 consecutive days are adjacent, and every instant of a day lies within its bounds", () => {
    fc.assert(
      fc.property(dates.filter((date) => date < "2199-12-31"), instants, (date, at) => {
        assert.strictEqual(to(date), from(addDays(date, 1)))
        const day = saoPauloDate(at)
        assert.isTrue(from(day) <= at)
        if (day < "2199-12-31") assert.isTrue(at < to(day))
      }),
      { numRuns: 500 }
    )
  })

  it("PAGE-24 PAGE-25 an instant bounds itself, with any offset, even if its plus sign arrived as a space", () => {
    fc.assert(fc.property(instants, (at) => {
      assert.strictEqual(from(at), at)
      assert.strictEqual(to(at), at)
    }))
    for (const text of ["2026-01-31T15:00:00+03:00", "2026-01-31T15:00:00 03:00", "2026-01-31T09:00-03:00"]) {
      assert.strictEqual(from(text), "2026-01-31T12:00:00.000Z", text)
      assert.strictEqual(to(text), "2026-01-31T12:00:00.000Z", text)
    }
  })

  it("PAGE-24 PAGE-25 empty text is no filter, and invalid text is rejected", () => {
    for (const parse of [from, to]) {
      assert.strictEqual(parse(""), "no filter")
      for (
        const text of [
          " ",
          "2026-02-30",
          "2026-1-31",
          "31/01/2026",
          "yesterday",
          "2026-01-31T12:00:00",
          "2026-01-31T12:00:00  03:00"
        ]
      ) assert.strictEqual(parse(text), "INVALID_FORMAT", text)
      for (const text of ["1899-12-31", "2200-01-01", "9999-12-31", "2200-01-01T00:00:00Z"]) {
        assert.strictEqual(parse(text), "OUT_OF_RANGE", text)
      }
    }
  })

  it("PAGE-25 the last supported day has no upper bound", () => {
    assert.strictEqual(from("2199-12-31"), "2199-12-31T03:00:00.000Z")
    assert.strictEqual(to("2199-12-31"), "OUT_OF_RANGE")
    assert.strictEqual(from("1900-01-01"), "1900-01-01T03:06:28.000Z")
    assert.strictEqual(to("1900-01-01"), "1900-01-02T03:06:28.000Z")
  })

  it("PAGE-24 PAGE-25 any text is a bound, no filter or rejected", () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789-:T.Z+ ") }))
    fc.assert(
      fc.property(texts, (text) => {
        for (const parse of [from, to]) {
          assert.match(parse(text), /^(?:no filter|INVALID_FORMAT|OUT_OF_RANGE|\d{4}-\d\d-\d\dT[\d:.]{12}Z)$/)
        }
      }),
      { numRuns: 2_000 }
    )
  })
})
