import { assert, describe, it } from "@effect/vitest"
import { parseRetryAfter } from "../../src/lender/lenderTransport.ts"

const now = Date.UTC(2026, 0, 31, 12)

describe("parseRetryAfter", () => {
  it("reads seconds and HTTP dates, and bounds them", () => {
    for (
      const [header, expected] of [
        ["1", 1_000],
        [" 30 ", 30_000],
        ["0", 0],
        ["9999999999", 86_400_000],
        ["Sat, 31 Jan 2026 12:00:05 GMT", 5_000],
        ["Saturday, 31-Jan-26 12:00:05 GMT", 5_000],
        ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
        ["Sat, 31 Jan 2037 11:00:00 GMT", 86_400_000],
        ["soon", undefined],
        ["-1", undefined],
        ["1.5", undefined],
        ["2026-01-31", undefined],
        ["Sat, whenever", undefined],
        ["", undefined],
        [undefined, undefined]
      ] as const
    ) assert.strictEqual(parseRetryAfter(header, now), expected, String(header))
  })

  it("reads a date without a time zone in UTC, whatever the time zone of the process", () => {
    const { TZ } = process.env
    try {
      process.env["TZ"] = "America/Sao_Paulo"
      assert.strictEqual(new Date(now).getTimezoneOffset(), 180)
      assert.strictEqual(parseRetryAfter("Sat Jan 31 12:00:05 2026", now), 5_000)
      assert.strictEqual(parseRetryAfter("Sun Feb  1 11:00:00 2026", now), 82_800_000)
    } finally {
      if (TZ === undefined) delete process.env["TZ"]
      else process.env["TZ"] = TZ
    }
  })
})
