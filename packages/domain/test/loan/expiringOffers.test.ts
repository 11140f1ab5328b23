import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { isKycComplete } from "../../src/kyc/FgtsKyc.ts"
import { basicRequirements } from "../../src/kyc/KycRequirements.ts"
import { type KycValues } from "../../src/kyc/KycValues.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { decide } from "../../src/loan/decide.ts"
import { evolve, openApplication } from "../../src/loan/evolve.ts"
import { type LoanCommand } from "../../src/loan/LoanCommand.ts"
import { courseOf, loanPlaces, placeOn } from "../../src/loan/LoanPlace.ts"
import { nextAction } from "../../src/loan/nextAction.ts"
import { missingForOffer, withRequirementsAt } from "../../src/loan/quoteParts.ts"
import { visibleVersion } from "../../src/loan/visibleVersion.ts"
import { abridgeApplication, fgtsApplicationListItem } from "../../src/origination/FgtsApplicationListItem.ts"
import { fgtsApplicationStatus } from "../../src/origination/FgtsApplicationStatus.ts"
import { kycAnswer } from "../../src/origination/GetKyc.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { completeKyc, customer, hourMs, idOf, lenderOffer, msAfter, noon, noWish, quoteId } from "./examples.ts"

/** The offers of a lender, by the hours until each expires. No hour: the lender rejects. */
interface Lender {
  readonly needsProfession: boolean
  readonly offers: ReadonlyArray<{ readonly hours: number; readonly amount: number }>
}

const after = (application: Application, command: LoanCommand): Application =>
  Result.getOrThrow(decide(command, application)).reduce(evolve, application)

const quotedBy = (lenders: ReadonlyArray<Lender>, kyc: KycValues | null): Application => {
  const opened = openApplication({
    _tag: "ApplicationOpened",
    at: noon,
    application_id: idOf(900_000),
    external_id: "one",
    partner_id: idOf(900_001),
    created_by: "client",
    customer,
    quote_id: quoteId(1),
    wish: noWish,
    lenders: lenders.map(({ needsProfession }, index) => ({
      lender: { code: `lender-${index}`, label: "Lender" },
      requirements: needsProfession ? { ...basicRequirements, kyc_fields: ["profession"] } : basicRequirements
    })),
    routing: { strategy: "ALL", patience_ms: 15_000 }
  })
  const quoted = lenders.reduce((application, { offers }, index) =>
    after(application, {
      _tag: "RecordQuote",
      at: msAfter(1_000),
      quote_id: quoteId(1),
      lender: `lender-${index}`,
      result: {
        kind: "PRICED",
        offers: offers.map(({ amount, hours }, table) =>
          lenderOffer(`table-${table}`, { amounts: [amount], valid_until: msAfter(hours * hourMs) })
        ),
        unpriced: []
      },
      offer_ids: offers.map((_, table) => idOf(1_000 + 10 * index + table)),
      max_monthly_rate: null
    }), opened)
  return { ...quoted, kyc }
}

const available = (application: Application, at: Timestamp) =>
  latestQuote(application).offers.filter(({ expires_at }) => expires_at > at)

const lender: fc.Arbitrary<Lender> = fc.record({
  needsProfession: fc.boolean(),
  offers: fc.array(
    fc.record({ hours: fc.integer({ min: 1, max: 4 }), amount: fc.integer({ min: 200_00, max: 500_00 }) }),
    { maxLength: 3 }
  )
})

const example = fc.tuple(
  fc.array(lender, { minLength: 1, maxLength: 4 }),
  fc.constantFrom<KycValues | null>(null, completeKyc, { ...completeKyc, profession: "Professora" })
)

const instants = [0, 1, 2, 3, 4].flatMap((hours) => [msAfter(hours * hourMs + 2_000), msAfter(hours * hourMs)])
  .toSorted()

describe("offers of several lenders that expire at different times", () => {
  it("QUOTE-04 a field counts as missing only for lenders with an available offer, and otherwise for all requested ones", () => {
    const application = quotedBy([
      { needsProfession: true, offers: [{ hours: 1, amount: 300_00 }] },
      { needsProfession: false, offers: [{ hours: 2, amount: 300_00 }] }
    ], completeKyc)
    const missingAt = (hours: number) =>
      kycAnswer(application, completeKyc, msAfter(hours * hourMs + 2_000)).missing_fields
    assert.deepStrictEqual([0, 1, 2].map(missingAt), [["profession"], [], ["profession"]])
  })

  it("QUOTE-04 FGTS-09 the missing fields are those of the available offers, and the next action is that of the best of them", () => {
    fc.assert(
      fc.property(example, ([lenders, kyc]) => {
        const application = quotedBy(lenders, kyc)
        for (const at of instants) {
          const offers = available(application, at)
          if (offers.length === 0) continue
          const missing = offers.map((offer) => missingForOffer(application, latestQuote(application), offer))
          const answer = kycAnswer(application, completeKyc, at)
          assert.sameMembers([...answer.missing_fields], [...new Set(missing.flat())])
          assert.strictEqual(isKycComplete(withRequirementsAt(application, at)), missing.flat().length === 0)
          assert.strictEqual(
            nextAction(application, at),
            missing.some((fields) => fields.length === 0) ? "ACCEPT_OFFER" : "SUBMIT_KYC"
          )
        }
      }),
      { numRuns: 50 }
    )
  })

  it("FGTS-71 FGTS-72 the course and the list item have the next action of the application at every time", () => {
    fc.assert(
      fc.property(example, ([lenders, kyc]) => {
        const application = quotedBy(lenders, kyc)
        for (const at of instants.filter((instant) => instant >= application.updated_at)) {
          const { next_action, status } = fgtsApplicationStatus(application, at)
          const place = loanPlaces.get(placeOn(courseOf(application), at))
          assert.deepStrictEqual([place?.status, place?.next_action], [status, next_action])
          const item = fgtsApplicationListItem(abridgeApplication(application), at, "full")
          assert.deepStrictEqual(item, fgtsApplicationListItem(application, at, "full"))
          assert.strictEqual(item.next_action, next_action)
        }
      }),
      { numRuns: 50 }
    )
  })

  it("FGTS-10 the version increases whenever the missing fields change", () => {
    fc.assert(
      fc.property(example, ([lenders, kyc]) => {
        const application = quotedBy(lenders, kyc)
        const times = instants.filter((at) => at >= application.updated_at)
        for (const [index, at] of times.entries()) {
          const later = times[index + 1]
          if (later === undefined || visibleVersion(application, at) !== visibleVersion(application, later)) continue
          assert.deepStrictEqual(
            kycAnswer(application, completeKyc, at),
            kycAnswer(application, completeKyc, later)
          )
        }
      }),
      { numRuns: 50 }
    )
  })
})
