import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { currentTimestamp, millisOf, Timestamp, timestampOf } from "../../src/values/Timestamp.ts"

/** The years 1970 to 2200, in milliseconds. */
const millis = fc.integer({ min: 0, max: Date.UTC(2200, 0) })

describe("Timestamp", () => {
  it("is ISO 8601 in UTC with milliseconds", () => {
    assert.strictEqual(timestampOf(Date.UTC(2026, 0, 31, 12)), "2026-01-31T12:00:00.000Z")
    assert.isTrue(Schema.is(Timestamp)("2026-01-31T12:00:00.000Z"))
    for (
      const text of [
        "2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00.000+00:00",
        "2026-01-31",
        "",
        "x2026-01-31T12:00:00.000Z"
      ]
    ) {
      assert.isFalse(Schema.is(Timestamp)(text), text)
    }
  })

  it("converts to milliseconds and back, and sorts as text in chronological order", () => {
    fc.assert(
      fc.property(millis, millis, (a, b) => {
        assert.strictEqual(millisOf(timestampOf(a)), a)
        assert.isTrue(Schema.is(Timestamp)(timestampOf(a)))
        assert.strictEqual(timestampOf(a) < timestampOf(b), a < b)
      }),
      { numRuns: 1_000 }
    )
  })

  it("formats every instant like Date", () => {
    const anyMillis = fc.oneof(fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true }), fc.integer(), millis)
    fc.assert(
      fc.property(anyMillis, (at) => {
        assert.strictEqual(timestampOf(at), new Date(at).toISOString())
      }),
      { numRuns: 5_000 }
    )
    for (const invalid of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1]) {
      // The last valid instant is the first millisecond of its day.
      assert.strictEqual(timestampOf(8.64e15), "+275760-09-13T00:00:00.000Z")
      assert.throws(() => timestampOf(invalid), RangeError)
    }
    assert.strictEqual(timestampOf(0), "1970-01-01T00:00:00.000Z")
  })

  it.effect("reads the Effect clock", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 1, 28, 23, 59, 59, 987))
      assert.strictEqual(yield* currentTimestamp, "2026-02-28T23:59:59.987Z")
    }))
})
