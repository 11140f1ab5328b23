import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Application } from "../../src/loan/Application.ts"
import {
  blockedUntil,
  isPledgedAlready,
  isPledgeOver,
  isPledging,
  type Pledge,
  pledgedDueDates,
  pledgesNextWithdrawal
} from "../../src/loan/pledges.ts"
import { type ProposalStatus } from "../../src/loan/Proposal.ts"
import { readProposal, storeProposal } from "../../src/origination/storedProposal.ts"
import { type CalendarDate } from "../../src/values/CalendarDate.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { contractingApplication, customer, lenderOffer, newApplication, noon, quotedApplication } from "./examples.ts"

const ended: ReadonlyArray<ProposalStatus> = ["CANCELLED", "REJECTED", "REFUNDED", "SETTLED"]

const live: ReadonlyArray<ProposalStatus> = [
  "SUBMITTING",
  "CORRECTION_NEEDED",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "DISBURSEMENT_FAILED",
  "PAID",
  "CANCELLING",
  "REFUND_PENDING"
]

/** Terms with one instalment in each of these years. */
const termsIn = (years: ReadonlyArray<number>) => {
  const { terms } = lenderOffer("standard", {})
  const [first] = terms.installments
  if (first === undefined) throw new Error("The offer has no instalment")
  return {
    ...terms,
    installments: years.map((year) => ({ ...first, due_date: `${year}-12-01` as typeof first.due_date }))
  }
}

/** A contracted application whose accepted offer pledges these years. */
const contracted = (status: ProposalStatus, years: ReadonlyArray<number>): Application => {
  const application = contractingApplication()
  const { proposal, quotes: [first] } = application
  return {
    ...application,
    quotes: [{
      ...first,
      offers: first.offers.map((offer) =>
        offer.offer_id === proposal?.offer_id ? { ...offer, terms: termsIn(years) } : offer
      )
    }],
    proposal: proposal === null
      ? null
      : readProposal({
        ...storeProposal(proposal),
        reference: "contract-1",
        ...(status === "SETTLED" ? { status: "PAID", settlement: { settled_at: noon, recorded_at: noon } } : { status })
      })
  }
}

const pledgeOf = (due_dates: ReadonlyArray<string>, birth_date: string = customer.birth_date): Pledge => ({
  due_dates: due_dates as ReadonlyArray<CalendarDate>,
  birth_date: birth_date as CalendarDate,
  is_in_scope: true
})

const someYears = fc.uniqueArray(fc.integer({ min: 2025, max: 2040 }), { minLength: 1, maxLength: 10 })

describe("pledges", () => {
  it("FGTS-46 a proposal pledges its withdrawals until it is cancelled, rejected, refunded or settled", () => {
    for (const status of live) assert.isTrue(isPledging({ status }), status)
    for (const status of ended) assert.isFalse(isPledging({ status }), status)
  })

  it("FGTS-46 an application without a proposal pledges nothing", () => {
    for (const one of [newApplication(), quotedApplication()]) assert.deepStrictEqual(pledgedDueDates(one, noon), [])
  })

  it("FGTS-46 final terms of the lender replace those of the offer", () => {
    const one = contracted("PAID", [2027, 2028])
    const { proposal } = one
    const final = proposal === null
      ? one
      : { ...one, proposal: readProposal({ ...storeProposal(proposal), terms: termsIn([2027]) }) }
    assert.deepStrictEqual<ReadonlyArray<string>>(pledgedDueDates(final, noon), ["2027-12-01"])
  })

  it("FGTS-47 an offer is refused exactly if it shares a year with a proposal that pledges its withdrawals", () => {
    fc.assert(fc.property(
      fc.array(fc.tuple(fc.constantFrom(...live, ...ended), someYears), { maxLength: 5 }),
      someYears,
      (others, years) => {
        const pledges = others.map(([status, pledged]) => pledgeOf(pledgedDueDates(contracted(status, pledged), noon)))
        const expected = years.some((year) =>
          others.some(([status, pledged]) => !ended.includes(status) && year > 2025 && pledged.includes(year))
        )
        assert.strictEqual(pledges.some((pledge) => isPledgedAlready(termsIn(years), pledge)), expected)
      }
    ))
  })

  it("FGTS-47 the year counts, not the day: another day of the same year is the same withdrawal", () => {
    const pledged = pledgeOf(pledgedDueDates(contracted("PAID", [2027]), noon))
    const [only] = termsIn([2027]).installments
    const moved = only === undefined ? [] : [{ ...only, due_date: "2027-03-31" as typeof only.due_date }]
    assert.isTrue(isPledgedAlready({ installments: moved }, pledged))
    assert.isFalse(isPledgedAlready(termsIn([2026, 2028]), pledged))
  })

  it("FGTS-60 a withdrawal is pledged until 40 days after its due date, in America/Sao_Paulo", () => {
    const paid = contracted("PAID", [2026, 2027])
    const dueAt = (at: string) => pledgedDueDates(paid, at as Timestamp).map((date) => date.slice(0, 4))
    assert.deepStrictEqual(dueAt("2026-12-01T12:00:00.000Z"), ["2026", "2027"])
    // 1 December and 40 days is 10 January. Its midnight in São Paulo is 03:00 UTC.
    assert.deepStrictEqual(dueAt("2027-01-10T02:59:59.999Z"), ["2026", "2027"])
    assert.deepStrictEqual(dueAt("2027-01-10T03:00:00.000Z"), ["2027"])
    assert.deepStrictEqual(dueAt("2028-01-10T03:00:00.000Z"), [])
    const days = ["2027-01-09", "2027-01-10"] as unknown as ReadonlyArray<CalendarDate>
    assert.deepStrictEqual(days.map((day) => isPledgeOver("2026-12-01" as CalendarDate, day)), [false, true])
  })

  it("FGTS-62 blocked until the day after the last due date of the unbroken run of next withdrawals", () => {
    const at = "2026-02-01T12:00:00.000Z" as Timestamp
    const until = (...pledges: ReadonlyArray<Pledge>) => blockedUntil(pledges, customer.birth_date, at) as string | null
    // The birth month is May, so the next withdrawal is that of 2026.
    assert.isNull(until())
    assert.isNull(until(pledgeOf(["2027-05-01", "2028-05-01"])))
    assert.strictEqual(until(pledgeOf(["2026-05-01"])), "2026-05-02")
    assert.strictEqual(until(pledgeOf(["2026-05-01", "2027-05-31", "2029-05-01"])), "2027-06-01")
    assert.strictEqual(until(pledgeOf(["2026-05-01", "2028-05-10"]), pledgeOf(["2027-05-01"])), "2028-05-11")
    assert.strictEqual(until(pledgeOf(["2025-05-01", "2026-05-01"])), "2026-05-02")
    assert.isNull(until({ ...pledgeOf(["2026-05-01"]), is_in_scope: false }))
    assert.isNull(until(pledgeOf(["2026-05-01"], "1990-05-18")))
  })

  it("FGTS-62 a person is blocked exactly if a pledge in scope contains the next withdrawal", () => {
    fc.assert(
      fc.property(fc.array(someYears, { maxLength: 3 }), fc.integer({ min: 2026, max: 2035 }), (others, year) => {
        // On 1 February, the withdrawal of the same year is the next one.
        const at = `${year}-02-01T12:00:00.000Z` as Timestamp
        const until = blockedUntil(
          others.map((years) => pledgeOf(years.map((one) => `${one}-05-01`))),
          customer.birth_date,
          at
        )
        const pledged = new Set(others.flat())
        let last = year
        while (pledged.has(last)) last += 1
        assert.strictEqual(until as string | null, last === year ? null : `${last - 1}-05-02`)
      })
    )
  })

  it("FGTS-61 the next withdrawal is that of the first year whose birth month begins after the day", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 * 366 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        someYears,
        (day, month, birthDay, years) => {
          // 12:00 UTC is the same day in São Paulo.
          const at = new Date(Date.UTC(2026, 0, 1 + day, 12))
          const next = at.getUTCMonth() + 1 < month ? at.getUTCFullYear() : at.getUTCFullYear() + 1
          const text = String(month).padStart(2, "0")
          const pledge = pledgeOf(
            years.map((year) => `${year}-${text}-15`),
            `1990-${text}-${String(birthDay).padStart(2, "0")}`
          )
          assert.strictEqual(pledgesNextWithdrawal(pledge, at.toISOString() as Timestamp), years.includes(next))
        }
      ),
      { numRuns: 1_000 }
    )
  })
})
