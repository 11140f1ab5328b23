import { assert, describe, it } from "@effect/vitest"
import { type Application } from "../../src/loan/Application.ts"
import { brokenRules } from "../../src/loan/brokenRules.ts"
import { readProposal, storeProposal } from "../../src/origination/storedProposal.ts"
import { type CalendarDate } from "../../src/values/CalendarDate.ts"
import { percent } from "../../src/values/Percent.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { applyCommands, contractingApplication, msAfter, noon, updateContract } from "./examples.ts"

/** Replaces the due dates of the accepted offer. */
const dueOn = (application: Application, ...due_dates: ReadonlyArray<string>): Application => {
  const [quote] = application.quotes
  const offers = quote.offers.map((offer) => ({
    ...offer,
    terms: {
      ...offer.terms,
      installments: due_dates.map((due_date, index) => ({
        ...offer.terms.installments[0]!,
        number: index + 1,
        due_date: due_date as CalendarDate
      }))
    }
  }))
  return { ...application, quotes: [{ ...quote, offers }] }
}

const paid = (...due_dates: ReadonlyArray<string>) =>
  dueOn(applyCommands(contractingApplication(), updateContract("PAID")), ...due_dates)

/** A contract that was accepted an hour later. */
const later = (application: Application, at: Timestamp = msAfter(3_600_000)): Application => {
  const { proposal } = application
  return proposal === null
    ? application
    : {
      ...application,
      proposal: readProposal({
        ...storeProposal(proposal),
        created_at: at,
        status_history: [{ status: "SUBMITTING", at, reason: null }, { status: "PAID", at, reason: null }]
      })
    }
}

// The customer's birth month is May. On 31 January 2026, the next withdrawal is that of 2026.
describe("brokenRules", () => {
  it("finds nothing in a lawful contract, and nothing in an application without one", () => {
    assert.deepStrictEqual(brokenRules(paid("2026-05-01", "2027-05-01"), []), [])
    assert.deepStrictEqual(brokenRules({ ...paid("2026-05-01"), proposal: null }, []), [])
  })

  it("FGTS-18 FGTS-55 judges the offer by the policy and the day of its acceptance", () => {
    const six = ["2026", "2027", "2028", "2029", "2030", "2031"].map((year) => `${year}-05-01`)
    assert.deepStrictEqual(brokenRules(paid(...six), []), ["FGTS-18"])
    assert.deepStrictEqual(brokenRules(paid("2026-01-31"), []), ["FGTS-55"])
    const reversed = applyCommands(paid(...six), updateContract("REFUNDED"))
    assert.deepStrictEqual(brokenRules(reversed, []), [])
  })

  it("FGTS-18 POLICY-09 the operator's maximum rate counts only if it may be above the policy", () => {
    const rated = (rate: number): Application => {
      const { quotes: [quote], ...application } = paid("2026-05-01")
      const offers = quote.offers.map((offer) => ({ ...offer, terms: { ...offer.terms, monthly_rate: percent(rate) } }))
      return { ...application, quotes: [{ ...quote, offers }] }
    }
    const judge = (rate: number, maximum: number, max_monthly_rate_above_policy?: boolean) =>
      brokenRules(rated(rate), [], { max_monthly_rate: percent(maximum), max_monthly_rate_above_policy })
    assert.deepStrictEqual(judge(1.8, 1.5), [])
    assert.deepStrictEqual(judge(1.9, 1.9), ["FGTS-18"])
    assert.deepStrictEqual(judge(1.9, 1.9, true), [])
    assert.deepStrictEqual(judge(1.91, 1.9, true), ["FGTS-18"])
  })

  it("FGTS-47 FGTS-61 names the later of two contracts, by what the earlier one pledged at that time", () => {
    const first = paid("2026-05-01", "2027-05-01")
    assert.deepStrictEqual(brokenRules(later(paid("2028-05-01")), [first]), ["FGTS-61"])
    assert.deepStrictEqual(brokenRules(later(paid("2027-05-01", "2028-05-01")), [first]), ["FGTS-47", "FGTS-61"])
    assert.deepStrictEqual(brokenRules(first, [later(paid("2028-05-01"))]), [])
    assert.deepStrictEqual(brokenRules(later(paid("2026-05-01")), [paid("2027-05-01")]), [])
    const settled = applyCommands(first, updateContract("SETTLED", msAfter(7_200_000)))
    assert.deepStrictEqual(brokenRules(later(paid("2028-05-01")), [settled]), ["FGTS-61"])
    assert.deepStrictEqual(brokenRules(later(paid("2028-05-01"), msAfter(9_000_000)), [settled]), [])
    // Two contracts of 2024 are judged by the rules of 2024.
    const old = "2025-10-31T12:00:00.000Z" as Timestamp
    assert.deepStrictEqual(brokenRules(later(paid("2028-05-01"), old), [later(first, msAfter(-1, old))]), [])
    assert.strictEqual(noon.slice(0, 10), "2026-01-31")
  })
})
