import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { latestQuote } from "../../../src/fgts/application/Application.ts"
import { applicationStatus } from "../../../src/fgts/application/ApplicationStatus.ts"
import { expiryOf, offerLifetimeMs } from "../../../src/fgts/application/decideQuote.ts"
import { fgtsPolicies } from "../../../src/fgts/policy/Policy.ts"
import { millisOf, type Timestamp, timestampOf } from "../../../src/time/Timestamp.ts"
import { addMillis, applyCommands, hourMs, lenderOffer, newApplication, noon, priceQuote } from "../examples.ts"

const end2025 = "2025-11-01T03:00:00.000Z" as Timestamp
const end2026 = "2026-11-01T03:00:00.000Z" as Timestamp

describe("the expiry of an offer", () => {
  const expiry = (created_at: Timestamp, at: Timestamp, valid_until: Timestamp | null = null) =>
    expiryOf({ created_at }, lenderOffer("standard", { valid_until }), at)

  it("FGTS-15 T50 is the earliest of 24 hours, the end of the policy, and the lender's valid_until", () => {
    assert.strictEqual(offerLifetimeMs, 24 * hourMs)
    assert.strictEqual(expiry(noon, addMillis(5_000)), addMillis(5_000 + 24 * hourMs))
    assert.strictEqual(expiry(noon, noon, addMillis(2_000)), addMillis(2_000))
    assert.strictEqual(expiry(noon, noon, addMillis(25 * hourMs)), addMillis(24 * hourMs))
    for (const end of [end2025, end2026]) {
      assert.strictEqual(expiry(addMillis(-24 * hourMs, end), addMillis(-24 * hourMs, end)), end)
      assert.strictEqual(expiry(addMillis(-1, end), addMillis(-1, end)), end)
      assert.strictEqual(expiry(addMillis(-1, end), addMillis(-1, end), addMillis(-1, end)), addMillis(-1, end))
      assert.strictEqual(expiry(end, end), addMillis(24 * hourMs, end))
    }
  })

  it("FGTS-15 T50 an offer priced under one policy and completed under the next is expired at once", () => {
    const created = addMillis(-1, end2026)
    const application = applyCommands(
      newApplication(created),
      priceQuote(1, addMillis(1_000, end2026), [lenderOffer("a", { at: created })])
    )
    assert.strictEqual(latestQuote(application).offers[0]?.expires_at, end2026)
    assert.strictEqual(latestQuote(application).offers[0]?.policy, "CCFGTS-1130/2025-1")
    assert.strictEqual(applicationStatus(application, addMillis(1_000, end2026)), "EXPIRED")
  })

  it("FGTS-15 no offer outlives 24 hours or its policy, and only valid_until makes it shorter", () => {
    const times = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) }).map(timestampOf)
    const near = fc.tuple(fc.constantFrom(end2025, end2026), fc.integer({ min: -30 * hourMs, max: 30 * hourMs })).map(
      ([end, by]) => addMillis(by, end)
    )
    const waits = fc.nat({ max: 10 * 60_000 })
    fc.assert(
      fc.property(fc.oneof(times, near), waits, fc.option(fc.nat({ max: 48 * hourMs })), (created, wait, valid) => {
        const at = addMillis(wait, created)
        const valid_until = valid === null ? null : addMillis(valid, at)
        const ends = [millisOf(at) + 24 * hourMs, ...(valid_until === null ? [] : [millisOf(valid_until)])]
        for (const { from } of fgtsPolicies) {
          const begins = Date.parse(`${from}T00:00:00-03:00`)
          if (begins > millisOf(created)) ends.push(begins)
        }
        assert.strictEqual(millisOf(expiry(created, at, valid_until)), Math.min(...ends))
      }),
      { numRuns: 1_000 }
    )
  })
})
