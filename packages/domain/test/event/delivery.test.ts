import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { eventsKeptFrom } from "../../src/event/deleteOldEvents.ts"
import { redeliveryDelayMs } from "../../src/event/Delivery.ts"
import { latestQuote } from "../../src/loan/Application.ts"
import { lastExpiryOf } from "../../src/loan/ApplicationStatus.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { applicationExpired } from "../../src/origination/eventsOfLoan.ts"
import { type QuoteId } from "../../src/values/ids.ts"
import { addMillis, type Timestamp } from "../../src/values/Timestamp.ts"
import { histories, playHistory, startTimes } from "../loan/randomHistories.ts"

describe("the rules of events", () => {
  it("EVENT-06 events are kept for the retention period", () => {
    const at = "2026-11-27T12:00:00.000Z" as Timestamp
    assert.strictEqual(eventsKeptFrom(at, 90 * 86_400_000), "2026-08-29T12:00:00.000Z")
  })

  it("EVENT-07 the pause before a retry doubles from 1 second to one minute", () => {
    assert.deepStrictEqual([1, 2, 3, 6, 7, 1_000].map(redeliveryDelayMs), [1_000, 2_000, 4_000, 32_000, 60_000, 60_000])
  })

  it("EVENT-08 only the latest quote of an application without an acceptance or cancellation expires", () => {
    let expired = 0
    fc.assert(
      fc.property(startTimes, histories, fc.integer({ min: -2, max: 2 }), (begins, history, offset) => {
        const after = playHistory(begins, history).at(-1)?.after
        if (after === undefined) return
        for (const quote of after.quotes) {
          const last = lastExpiryOf(quote)
          if (last === null) continue
          const at = addMillis(last, offset)
          const event = applicationExpired(after, quote.quote_id, at)
          const isLatest = latestQuote(after) === quote
          const isOpen = after.proposal === null && after.cancellation === null
          assert.strictEqual(event !== undefined, isLatest && isOpen && offset >= 0)
          if (event === undefined) continue
          expired++
          assert.strictEqual(event.type, "application.expired")
          assert.strictEqual(event.data["status"], applicationStatus(after, at))
        }
        assert.isUndefined(applicationExpired(after, "another" as QuoteId, after.updated_at))
      }),
      { numRuns: 300 }
    )
    assert.isAbove(expired, 0)
  })
})
