import { assert, describe, it } from "@effect/vitest"
import { timestampOf } from "@lastro/domain/values"
import * as fc from "fast-check"
import { auditKeptFrom } from "../../src/audit/AuditRetention.ts"

describe("auditKeptFrom", () => {
  it("AUDIT-05 keeps an entry exactly as long as the retention period", () => {
    const times = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 })
    fc.assert(fc.property(times, times, fc.integer({ min: 1, max: 400_000_000_000 }), (entry, now, retention) => {
      const isDeleted = timestampOf(entry) < auditKeptFrom(timestampOf(now), retention)
      assert.strictEqual(isDeleted, now - entry > retention)
    }))
  })
})
