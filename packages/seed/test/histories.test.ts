import { assert, describe, it } from "@effect/vitest"
import { millisOf, saoPauloDate, type Timestamp, timestampOf } from "@lastro/domain/values"
import { allHistories } from "../src/applications.ts"
import { growHistory, shiftMs, timelineAt } from "../src/histories.ts"

describe("the histories of seeded applications", () => {
  it("happen before the last day, and a shift changes the day of no event, so that each contract stays lawful", () => {
    for (const day of ["2026-11-28", "2028-02-29", "2029-01-01"]) {
      const timeline = timelineAt(Date.parse(`${day}T15:00:00Z`))
      for (const { history, returning_customer } of allHistories) {
        const { application, kycAt } = growHistory(history, { isReturning: returning_customer, timeline })
        const { created_at, proposal, quotes } = application
        const quoted = quotes.map((quote) => quote.created_at)
        for (
          const at of [
            created_at,
            ...quoted,
            ...kycAt === null ? [] : [kycAt as Timestamp],
            ...(proposal?.status_history ?? []).map((one) => one.at)
          ]
        ) {
          const latest = millisOf(at) + shiftMs - 1
          assert.strictEqual(saoPauloDate(timestampOf(latest)), saoPauloDate(at), `${history}`)
          assert.isBelow(latest, timeline.until, `${history}`)
        }
      }
    }
  })
})
