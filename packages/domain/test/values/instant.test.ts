import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import { parseTimestamp, timestamp } from "../../src/values/parseTimestamp.ts"
import { timestampOf } from "../../src/values/Timestamp.ts"
import { expectProblems } from "../input/problems.ts"

const codeOf = (text: string): string =>
  Result.match(parseTimestamp(text), { onFailure: ({ code }) => code, onSuccess: (at) => at })

const two = (number: number): string => String(number).padStart(2, "0")

const first = Date.UTC(1900, 0)
const last = Date.UTC(2200, 0) - 1

/** An instant and a notation of it with an offset. */
const written = fc.record({
  millis: fc.integer({ min: first, max: last }),
  offset: fc.option(fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })),
  more: fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 6 })
}).map(({ millis, more, offset }) => {
  const local = new Date(millis + (offset ?? 0) * 60_000).toISOString()
  const size = Math.abs(offset ?? 0)
  const zone = offset === null ? "Z" : `${offset < 0 ? "-" : "+"}${two(Math.trunc(size / 60))}:${two(size % 60)}`
  return { millis, text: `${local.slice(0, -1)}${more}${zone}` }
})

describe("timestamp", () => {
  it("TIME-05 an instant is stored in UTC with milliseconds, whatever its offset and precision", () => {
    fc.assert(
      fc.property(written, ({ millis, text }) => {
        assert.strictEqual(codeOf(text), timestampOf(millis), text)
        assert.strictEqual(codeOf(` ${text} `), timestampOf(millis))
      }),
      { numRuns: 2_000 }
    )
    for (
      const [text, at] of [
        ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
        ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
        ["2026-01-31T12:00:00.1Z", "2026-01-31T12:00:00.100Z"],
        ["2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00.123Z"],
        ["2026-01-31T23:59:59.999-03:00", "2026-02-01T02:59:59.999Z"],
        ["2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00.000Z"]
      ] as const
    ) assert.strictEqual(codeOf(text), at)
  })

  it("TIME-05 a canonical instant parses to itself", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: first, max: last }),
        (millis) => assert.strictEqual(codeOf(timestampOf(millis)), timestampOf(millis))
      )
    )
  })

  it("TIME-05 an instant outside 1900 to 2199 is out of range, judged by the instant and not by its text", () => {
    assert.strictEqual(codeOf("1900-01-01T00:00:00Z"), "1900-01-01T00:00:00.000Z")
    assert.strictEqual(codeOf("2199-12-31T23:59:59.999Z"), "2199-12-31T23:59:59.999Z")
    for (
      const text of [
        "1899-12-31T23:59:59.999Z",
        "2200-01-01T00:00:00Z",
        "2199-12-31T23:59:59-03:00",
        "1900-01-01T00:00:00+00:01",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z"
      ]
    ) assert.strictEqual(codeOf(text), "OUT_OF_RANGE", text)
  })

  it("TIME-05 an invalid instant is rejected", () => {
    for (
      const text of [
        "",
        "2026-01-31",
        "2026-01-31T12:00:00",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12Z",
        "2026-02-29T12:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-04-31T12:00:00-03:00",
        "2026-13-01T12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T24:00Z",
        "2026-01-31T23:60:00Z",
        "2026-01-31T23:59:60Z",
        "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00:00.1234567890Z",
        "2026-01-31T12:00:00+24:00",
        "2026-01-31T12:00:00+03:60",
        "2026-01-31T12:00:00+0300",
        "2026-01-31T12:00:00 GMT",
        "20260131T120000Z",
        "+002026-01-31T12:00:00Z",
        "1769860800000",
        "now"
      ]
    ) assert.strictEqual(codeOf(text), "INVALID_FORMAT", text)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."0123456789-:T.Z+ ") }),
        (text) => assert.isTrue(Result.isResult(parseTimestamp(text)))
      ),
      { numRuns: 2_000 }
    )
  })

  it("TIME-05 the encoded instant is text in the same form", () => {
    const read = decode(timestamp)
    assert.deepStrictEqual<unknown>(read("2026-01-31T09:00:00-03:00"), Result.succeed("2026-01-31T12:00:00.000Z"))
    expectProblems(read(1_769_860_800_000), [" INVALID_TYPE" as never])
    expectProblems(read(null), [" NOT_NULLABLE" as never])
  })
})
