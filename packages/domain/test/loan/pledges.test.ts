import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Application } from "../../src/loan/Application.ts"
import { isPledgedAlready, isPledging, pledgedYears } from "../../src/loan/pledges.ts"
import { type ProposalStatus } from "../../src/loan/Proposal.ts"
import { readProposal, storeProposal } from "../../src/origination/storedProposal.ts"
import { contractingApplication, lenderOffer, newApplication, quotedApplication } from "./examples.ts"

const ended: ReadonlyArray<ProposalStatus> = ["CANCELLED", "REJECTED", "REFUNDED"]

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
    proposal: proposal === null ? null : readProposal({ ...storeProposal(proposal), status, reference: "contract-1" })
  }
}

const someYears = fc.uniqueArray(fc.integer({ min: 2025, max: 2040 }), { minLength: 1, maxLength: 10 })

describe("pledges", () => {
  it("FGTS-46 a proposal pledges its withdrawals until it is cancelled, rejected or refunded", () => {
    for (const status of live) assert.isTrue(isPledging({ status }), status)
    for (const status of ended) assert.isFalse(isPledging({ status }), status)
  })

  it("FGTS-46 an application without a proposal pledges nothing", () => {
    assert.strictEqual(pledgedYears([newApplication(), quotedApplication()]).size, 0)
  })

  it("FGTS-46 final terms of the lender replace those of the offer", () => {
    const one = contracted("PAID", [2027, 2028])
    const { proposal } = one
    const final = proposal === null
      ? one
      : { ...one, proposal: readProposal({ ...storeProposal(proposal), terms: termsIn([2027]) }) }
    assert.deepStrictEqual([...pledgedYears([final])], [2027])
  })

  it("FGTS-47 an offer is refused exactly if it shares a year with a proposal that pledges its withdrawals", () => {
    fc.assert(fc.property(
      fc.array(fc.tuple(fc.constantFrom(...live, ...ended), someYears), { maxLength: 5 }),
      someYears,
      (others, years) => {
        const applications = others.map(([status, pledged]) => contracted(status, pledged))
        const expected = years.some((year) =>
          others.some(([status, pledged]) => !ended.includes(status) && pledged.includes(year))
        )
        assert.strictEqual(isPledgedAlready(termsIn(years), pledgedYears(applications)), expected)
      }
    ))
  })

  it("FGTS-47 the year counts, not the day: another day of the same year is the same withdrawal", () => {
    const pledged = pledgedYears([contracted("PAID", [2027])])
    const [only] = termsIn([2027]).installments
    const moved = only === undefined ? [] : [{ ...only, due_date: "2027-03-31" as typeof only.due_date }]
    assert.isTrue(isPledgedAlready({ installments: moved }, pledged))
    assert.isFalse(isPledgedAlready(termsIn([2026, 2028]), pledged))
  })
})
