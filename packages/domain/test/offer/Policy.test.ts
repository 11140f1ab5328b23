import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fgtsPolicies, policyEnds, policyOn } from "../../src/offer/Policy.ts"
import { addDays, calendarDate, saoPauloDate } from "../../src/values/CalendarDate.ts"
import { millisOf, type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"

const versionAt = (at: Timestamp): string => policyOn(saoPauloDate(at)).version

describe("policies", () => {
  it("T50 POLICY-01 the first applies until 31 October 2025, 23:59:59.999 in São Paulo; the second from 00:00 on", () => {
    assert.strictEqual(versionAt("2025-11-01T02:59:59.999Z" as Timestamp), "CCFGTS-958/2020")
    assert.strictEqual(versionAt("2025-11-01T03:00:00.000Z" as Timestamp), "CCFGTS-1130/2025-1")
  })

  it("T50 POLICY-01 the second applies until 31 October 2026, 23:59:59.999 in São Paulo; the third from 00:00 on", () => {
    assert.strictEqual(versionAt("2026-11-01T02:59:59.999Z" as Timestamp), "CCFGTS-1130/2025-1")
    assert.strictEqual(versionAt("2026-11-01T03:00:00.000Z" as Timestamp), "CCFGTS-1130/2025-2")
  })

  it("T50 POLICY-01 the limits of each policy", () => {
    const allowed = (date: string) => {
      const { max_installment, max_installments, min_installment } = policyOn(calendarDate(date))
      return [max_installments, min_installment, max_installment]
    }
    assert.deepStrictEqual(allowed("1999-12-31"), [10, null, null])
    assert.deepStrictEqual(allowed("2020-01-01"), [10, null, null])
    assert.deepStrictEqual(allowed("2025-10-31"), [10, null, null])
    assert.deepStrictEqual(allowed("2025-11-01"), [5, 10_000, 50_000])
    assert.deepStrictEqual(allowed("2026-10-31"), [5, 10_000, 50_000])
    assert.deepStrictEqual(allowed("2026-11-01"), [3, 10_000, 50_000])
    assert.deepStrictEqual(allowed("2199-12-31"), [3, 10_000, 50_000])
  })

  it("T50 POLICY-02 a policy ends at midnight in São Paulo when the next begins; the newest never ends", () => {
    assert.deepStrictEqual(fgtsPolicies.map(policyEnds), [
      "2025-11-01T03:00:00.000Z",
      "2026-11-01T03:00:00.000Z",
      null
    ])
  })

  it("T50 POLICY-02 the end is the first instant under another policy", () => {
    const days = fc.integer({ min: 0, max: 4_000 }).map((day) => addDays(calendarDate("2019-01-01"), day))
    fc.assert(fc.property(days, (date) => {
      const policy = policyOn(date)
      const end = policyEnds(policy)
      if (end === null) return assert.strictEqual(policy, fgtsPolicies.at(-1))
      assert.strictEqual(versionAt(timestampOf(millisOf(end) - 1)), policy.version)
      assert.notStrictEqual(versionAt(end), policy.version)
    }))
  })

  it("policies are ordered and have distinct versions", () => {
    const starts = fgtsPolicies.map(({ from }) => from)
    assert.deepStrictEqual(starts, starts.toSorted())
    assert.strictEqual(new Set(fgtsPolicies.map(({ version }) => version)).size, fgtsPolicies.length)
  })
})
