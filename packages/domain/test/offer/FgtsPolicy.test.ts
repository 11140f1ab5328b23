import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fgtsPolicies, type OperatorRate, policyEnds, policyOn, rateLimit } from "../../src/offer/FgtsPolicy.ts"
import { addDays, calendarDate, saoPauloDate } from "../../src/values/CalendarDate.ts"
import { percent } from "../../src/values/Percent.ts"
import { addMillis, type Timestamp } from "../../src/values/Timestamp.ts"

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
      "2023-12-01T03:00:00.000Z",
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
      assert.strictEqual(policyOn(saoPauloDate(addMillis(end, -1))), policy)
      assert.notStrictEqual(policyOn(saoPauloDate(end)), policy)
    }))
  })

  it("policies are ordered and differ in their version or their rate limit", () => {
    const starts = fgtsPolicies.map(({ from }) => from)
    assert.deepStrictEqual(starts, starts.toSorted())
    const kinds = new Set(fgtsPolicies.map(({ max_monthly_rate, version }) => `${version} ${max_monthly_rate}`))
    assert.strictEqual(kinds.size, fgtsPolicies.length)
  })

  it("POLICY-09 the rate limit is 2.05 until 30 November 2023 and 1.80 from then on; the operator can lower it", () => {
    const limit = (date: string, operator: OperatorRate = {}) => rateLimit(policyOn(calendarDate(date)), operator)
    assert.strictEqual(limit("2020-01-01"), 2.05)
    assert.strictEqual(limit("2023-11-30"), 2.05)
    for (const day of ["2023-12-01", "2025-10-31", "2025-11-01", "2026-11-01", "2199-12-31"]) {
      assert.strictEqual(limit(day), 1.8)
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.boolean(), (hundredths, max_monthly_rate_above_policy) => {
        const max_monthly_rate = percent(hundredths / 100)
        const expected = max_monthly_rate_above_policy ? max_monthly_rate : Math.min(max_monthly_rate, 1.8)
        assert.strictEqual(limit("2026-11-24", { max_monthly_rate, max_monthly_rate_above_policy }), expected)
      })
    )
    assert.strictEqual(limit("2026-11-24", { max_monthly_rate: null, max_monthly_rate_above_policy: true }), 1.8)
  })
})
