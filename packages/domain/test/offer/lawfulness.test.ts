import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples, isOrdeal } from "../../../../test/rounds.ts"
import { decide } from "../../src/loan/decide.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { policyOn } from "../../src/offer/FgtsPolicy.ts"
import { areNextWithdrawals } from "../../src/offer/nextWithdrawals.ts"
import { whyNotContractable } from "../../src/offer/whyNotContractable.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { accept, completeKyc, newApplication, offerId, priceQuote, submitKyc } from "../loan/examples.ts"
import { isLawful, midnights, nextAllowed, offerOf, two, withdrawalsBefore } from "./lawOfDates.ts"

const randomDay = 3 * Math.random()

/** Every day of four years: two policies begin in them, and a 29 February. */
const everyDay = Array.from({ length: 4 * 365 + 1 }, (_, index) => addDays(calendarDate("2025-01-01"), index))

/** The first and the last day of each month, and every third day from a random one. In the long form, every day. */
const manyDays = everyDay.filter((day, index) =>
  isOrdeal || index % 3 === Math.floor(randomDay) || /-(?:01|28|29|30|31)$/.test(day)
)

describe("the lawfulness of offers, recomputed from the dates alone", () => {
  it("POLICY-08 T50 the days of four years, every birth month, every due year up to seven years ahead", () => {
    for (const released_on of manyDays) {
      const year = Number(released_on.slice(0, 4))
      const allowed = nextAllowed(released_on)
      const policy = policyOn(released_on)
      for (let month = 1; month <= 12; month++) {
        const birth_date = calendarDate(`1990-${two(month)}-${month === 2 ? "28" : "30"}`)
        for (let due = year; due <= year + 7; due++) {
          for (const day of ["01", "28"]) {
            const due_date = calendarDate(`${due}-${two(month)}-${day}`)
            const before = withdrawalsBefore(released_on, due_date)
            const expected = allowed === null || (before >= 0 && before < allowed)
            if (areNextWithdrawals([{ due_date }], { birth_date, policy, released_on }) !== expected) {
              assert.fail(`${released_on} ${due_date}: expected ${expected}`)
            }
          }
        }
      }
    }
  })

  it("POLICY-08 T50 a due date in the present birth month is unlawful, on its first day and on its last day", () => {
    for (const [released_on, due] of [["2026-05-01", "2026-05-02"], ["2026-05-30", "2026-05-31"]] as const) {
      const policy = policyOn(calendarDate(released_on))
      const facts = { birth_date: calendarDate("1990-05-17"), policy, released_on: calendarDate(released_on) }
      assert.isFalse(areNextWithdrawals([{ due_date: calendarDate(due) }], facts))
      assert.isTrue(areNextWithdrawals([{ due_date: calendarDate("2027-05-31") }], facts))
    }
    const leap = { birth_date: calendarDate("1992-02-29"), released_on: calendarDate("2028-02-29") }
    const policy = policyOn(leap.released_on)
    assert.isFalse(areNextWithdrawals([{ due_date: calendarDate("2028-02-29") }], { ...leap, policy }))
    assert.isTrue(areNextWithdrawals([{ due_date: calendarDate("2031-02-01") }], { ...leap, policy }))
    assert.isFalse(areNextWithdrawals([{ due_date: calendarDate("2032-02-29") }], { ...leap, policy }))
  })

  /** A release day, a birth date, and due dates in the birth month, in ascending years that may leave some out. */
  const offers = fc.record({
    released_on: fc.oneof(fc.constantFrom(...everyDay), fc.constantFrom(...midnights)),
    hour: fc.constantFrom("03:00:00.000", "12:00:00.000", "23:59:59.999"),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.constantFrom("01", "15", "28"),
    years: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 6 }),
    hundredths: fc.oneof(fc.integer({ min: 0, max: 180 }), fc.integer({ min: 175, max: 500 }))
  }).map(({ day, hour, hundredths, month, released_on, years }) => {
    const at = `${released_on}T${hour}Z` as Timestamp
    const due = years.toSorted((one, other) => one - other)
      .map((year) => `${Number(released_on.slice(0, 4)) + year}-${two(month)}-${day}`)
    return { at, birth_date: calendarDate(`1990-${two(month)}-${day}`), due, rate: hundredths / 100, released_on }
  })

  it("POLICY-08 FGTS-41 LENDER-14 T50 exactly the lawful offers are recorded, and accepted on the same day", () => {
    const seen = { lawful: 0, unlawful: 0 }
    fc.assert(
      fc.property(offers, ({ at, birth_date, due, rate, released_on }) => {
        const offer = offerOf(released_on, due, rate)
        if (offer === null) return
        const opened = newApplication(at)
        const application = { ...opened, customer: { ...opened.customer, birth_date } }
        const kyc = submitKyc({ ...completeKyc, birth_date }, at)
        const recorded = Result.getOrThrow(decide(priceQuote(1, at, [offer]), application)).reduce(evolve, application)
        const [quote] = recorded.quotes
        const expected = isLawful(released_on, due, rate)
        assert.deepStrictEqual([quote.offers.length, quote.unpriced.length], expected ? [1, 0] : [0, 1])
        seen[expected ? "lawful" : "unlawful"]++
        if (!expected) return
        const ready = Result.getOrThrow(decide(kyc, recorded)).reduce(evolve, recorded)
        assert.isTrue(Result.isSuccess(decide(accept(offerId(1, 1), at), ready)))
      }),
      { numRuns: examples(3_000) }
    )
    assert.isAbove(seen.lawful, examples(200))
    assert.isAbove(seen.unlawful, examples(200))
  })

  it("FGTS-18 FGTS-55 T50 a stored offer is judged by the policy of the day on which it is accepted", () => {
    fc.assert(
      fc.property(offers, fc.nat({ max: 400 }), ({ birth_date, due, rate, released_on }, later) => {
        const offer = offerOf(released_on, due, rate)
        if (offer === null) return
        const day = addDays(calendarDate(released_on), later)
        const at = `${day}T12:00:00.000Z` as Timestamp
        const expected = due.some((date) => date <= day)
          ? "EXPIRED"
          : isLawful(day, due, rate)
          ? undefined
          : "POLICY_CHANGED"
        // Amounts of R$ 300.00 are within the bounds of every policy.
        assert.strictEqual(whyNotContractable(offer, { at, birth_date }), expected)
      }),
      { numRuns: examples(3_000) }
    )
  })
})
