import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { latestQuote } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { decide } from "../../src/loan/decide.ts"
import { fgtsPolicies } from "../../src/offer/FgtsPolicy.ts"
import { pledgeableUntil } from "../../src/offer/nextWithdrawals.ts"
import { expiryOf, offerLifetimeMs } from "../../src/offer/offerExpiry.ts"
import { type CalendarDate, calendarDate } from "../../src/values/CalendarDate.ts"
import { millisOf, type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  completeKyc,
  customer,
  hourMs,
  lenderOffer,
  msAfter,
  newApplication,
  noon,
  offerId,
  priceQuote,
  submitKyc
} from "../loan/examples.ts"

const end2025 = "2025-11-01T03:00:00.000Z" as Timestamp
const end2026 = "2026-11-01T03:00:00.000Z" as Timestamp
/** The first instalment of the example customer in 2026 falls due. */
const firstDue = "2026-05-01T03:00:00.000Z" as Timestamp

describe("the expiry of an offer", () => {
  const expiry = (created_at: Timestamp, at: Timestamp, valid_until: Timestamp | null = null) =>
    expiryOf({ created_at }, lenderOffer("standard", { at: created_at, valid_until }), at)

  it("FGTS-15 T50 is the earliest of 24 hours, the end of the policy, the first due date and valid_until", () => {
    assert.strictEqual(offerLifetimeMs, 24 * hourMs)
    assert.strictEqual(expiry(noon, msAfter(5_000)), msAfter(5_000 + 24 * hourMs))
    assert.strictEqual(expiry(noon, noon, msAfter(2_000)), msAfter(2_000))
    assert.strictEqual(expiry(noon, noon, msAfter(25 * hourMs)), msAfter(24 * hourMs))
    for (const end of [end2025, end2026]) {
      assert.strictEqual(expiry(msAfter(-24 * hourMs, end), msAfter(-24 * hourMs, end)), end)
      assert.strictEqual(expiry(msAfter(-1, end), msAfter(-1, end)), end)
      assert.strictEqual(expiry(msAfter(-1, end), msAfter(-1, end), msAfter(-1, end)), msAfter(-1, end))
      assert.strictEqual(expiry(end, end), msAfter(24 * hourMs, end))
    }
    assert.strictEqual(expiry(msAfter(-hourMs, firstDue), msAfter(-1, firstDue)), firstDue)
    assert.strictEqual(
      expiry(msAfter(-hourMs, firstDue), msAfter(-1, firstDue), msAfter(-2, firstDue)),
      msAfter(-2, firstDue)
    )
    assert.strictEqual(
      expiry(msAfter(-25 * hourMs, firstDue), msAfter(-25 * hourMs, firstDue)),
      msAfter(-hourMs, firstDue)
    )
  })

  it("FGTS-15 an offer quoted on 30 November for a customer born in December cannot be accepted on 1 December", () => {
    const quoted = "2026-11-30T15:00:00.000Z" as Timestamp
    const due = "2026-12-01T03:00:00.000Z" as Timestamp
    const inDecember = { ...customer, birth_date: calendarDate("1990-12-24") }
    const opened = { ...newApplication(quoted), customer: inDecember }
    const offer = lenderOffer("standard", { at: quoted, birth_date: inDecember.birth_date })
    assert.strictEqual(offer.terms.installments[0]?.due_date, "2026-12-01")
    const kyc = { ...completeKyc, birth_date: inDecember.birth_date }
    const application = applyCommands(opened, priceQuote(1, quoted, [offer]), submitKyc(kyc, quoted))
    assert.strictEqual(latestQuote(application).offers[0]?.expires_at, due)
    assert.strictEqual(applicationStatus(application, msAfter(-1, due)), "QUOTED")
    assert.isTrue(Result.isSuccess(decide(accept(offerId(1, 1), msAfter(-1, due)), application)))
    assert.strictEqual(applicationStatus(application, due), "EXPIRED")
    const late = decide(accept(offerId(1, 1), due), application)
    assert.deepInclude(Result.isFailure(late) ? late.failure : {}, { _tag: "OfferNotAvailable", reason: "EXPIRED" })
  })

  it("FGTS-15 FGTS-54 POLICY-08 an instalment due in mid-month can be pledged until day 1 of its month", () => {
    const dayOne = "2027-01-01T03:00:00.000Z" as Timestamp
    const due = "2027-01-20" as CalendarDate
    const priced = lenderOffer("standard", { at: msAfter(-hourMs, dayOne) })
    const [first] = priced.terms.installments
    const moved = { ...priced, terms: { ...priced.terms, installments: [{ ...first!, due_date: due }] } }
    assert.strictEqual(expiryOf({ created_at: msAfter(-hourMs, dayOne) }, moved, msAfter(-1, dayOne)), dayOne)
    assert.deepStrictEqual(pledgeableUntil(moved.terms.installments), [dayOne])
    assert.deepStrictEqual(pledgeableUntil([{ due_date: "2025-10-20" as CalendarDate }]), [
      "2025-10-20T03:00:00.000Z" as Timestamp
    ])
    assert.deepStrictEqual(pledgeableUntil([]), [])
  })

  it("FGTS-15 T50 an offer priced under one policy and completed under the next is expired at once", () => {
    const created = msAfter(-1, end2026)
    const application = applyCommands(
      newApplication(created),
      priceQuote(1, msAfter(1_000, end2026), [lenderOffer("a", { at: created })])
    )
    assert.strictEqual(latestQuote(application).offers[0]?.expires_at, end2026)
    assert.strictEqual(latestQuote(application).offers[0]?.policy, "CCFGTS-1130/2025-1")
    assert.strictEqual(applicationStatus(application, msAfter(1_000, end2026)), "EXPIRED")
  })

  it("FGTS-15 no offer outlives 24 hours, its policy or its first due date, and only valid_until makes it shorter", () => {
    const times = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) }).map(timestampOf)
    const near = fc.tuple(
      fc.constantFrom(end2025, end2026, firstDue),
      fc.integer({ min: -30 * hourMs, max: 30 * hourMs })
    ).map(
      ([end, by]) => msAfter(by, end)
    )
    const waits = fc.nat({ max: 10 * 60_000 })
    fc.assert(
      fc.property(fc.oneof(times, near), waits, fc.option(fc.nat({ max: 48 * hourMs })), (created, wait, valid) => {
        const at = msAfter(wait, created)
        const valid_until = valid === null ? null : msAfter(valid, at)
        const ends = [millisOf(at) + 24 * hourMs, ...(valid_until === null ? [] : [millisOf(valid_until)])]
        for (const { from } of fgtsPolicies) {
          const begins = Date.parse(`${from}T00:00:00-03:00`)
          if (begins > millisOf(created)) ends.push(begins)
        }
        const year = Number(new Date(millisOf(created) - 3 * hourMs).toISOString().slice(0, 4))
        const dues = [year, year + 1].map((one) => Date.UTC(one, 4, 1, 3))
        ends.push(...dues.filter((due) => due > millisOf(created)))
        assert.strictEqual(millisOf(expiry(created, at, valid_until)), Math.min(...ends))
      }),
      { numRuns: 1_000 }
    )
  })
})
