import { assert, describe, it } from "@effect/vitest"
import { Customer, emptyKyc, isComplete, judgeKycIdentity, KycValues, patchKyc } from "@lastro/domain/kyc"
import { type Application, applicationStatus, decide, evolve, openApplication } from "@lastro/domain/loan"
import { judgeLenderOffer, offerFaults, policyOn } from "@lastro/domain/offer"
import { type PartnerId, saoPauloDate, type Timestamp } from "@lastro/domain/values"
import { freshHistory, freshId, spoiledOffers, spoilOffer } from "@lastro/testkit"
import {
  completeKyc,
  contractedApplication,
  contractedHistory,
  customer,
  history,
  kycBody,
  lenderOffer,
  opening,
  originationTime,
  partialKyc,
  proposal,
  quotation,
  quotationFor
} from "@lastro/testkit/arbitraries"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { assertDecodes, checkProperty, kindsOf } from "./checks.ts"

const today = saoPauloDate("2026-01-31T12:00:00.000Z" as Timestamp)

describe("arbitraries of origination", () => {
  it("customers are valid", () => assertDecodes(Customer, customer))

  it("KYCs are valid and match their customer; partial ones can be incomplete", () => {
    const examples = customer.chain((of) =>
      fc.record({ of: fc.constant(of), complete: completeKyc(of), part: partialKyc(of) })
    )
    assertDecodes(KycValues, examples.chain(({ complete, part }) => fc.constantFrom(complete, part)))
    checkProperty(examples, ({ complete, of, part }) => {
      assert.isTrue(isComplete(complete, undefined))
      for (const kyc of [complete, part]) {
        const judged = Object.values(judgeKycIdentity({ customer: of }, kyc, today))
        assert.isTrue(judged.every(Result.isSuccess))
      }
    })
    assert.deepStrictEqual(
      kindsOf(
        examples,
        ({ part }) => [String(isComplete(part, undefined)), String(part === emptyKyc || part.name === null)]
      ),
      ["false", "true"]
    )
  })

  it("the body of a KYC submits the same KYC", () =>
    checkProperty(
      opening.chain((one) => fc.tuple(fc.constant(openApplication(one)), completeKyc(one.customer))),
      ([application, kyc]) => assert.deepStrictEqual(patchKyc(application, kycBody(kyc), today), Result.succeed(kyc))
    ))

  it("LENDER-14 FGTS-16 FGTS-38 FGTS-39 FGTS-40 FGTS-42 a spoiled offer is refused by the rule that names its fault", () => {
    const spoiled = new Set<string>()
    checkProperty(
      fc.tuple(lenderOffer, fc.constantFrom(...spoiledOffers)),
      ([{ offer, offered }, fault]) => {
        const terms = spoilOffer(fault, offer.terms, offered)
        if (terms === undefined) return
        // Only a quotation that ignores the requested maximum has more instalments than requested.
        const wish = fault === "TOO_MANY_INSTALLMENTS"
          ? { max_installments: terms.installments.length - 1 }
          : offered.wish
        const judged = judgeLenderOffer({ ...offered, wish }, terms)
        assert.strictEqual(Result.isFailure(judged) ? judged.failure.fault : "lawful", fault)
        spoiled.add(fault)
      },
      1_000
    )
    assert.sameMembers([...spoiled], [...spoiledOffers])
    const others = ["RATE_TOO_HIGH", "FEE_NOT_STATED", "REGISTRATION_REPEATED"]
    assert.sameMembers([...spoiled, ...others], [...offerFaults])
  })

  it("LENDER-14 offers are lawful for their request", () =>
    checkProperty(lenderOffer, ({ offer, offered }) =>
      assert.deepStrictEqual(
        judgeLenderOffer(offered, offer.terms),
        Result.void
      )))

  it("quotations have valid and invalid offers, unpriced tables and refusals", () => {
    const kinds = kindsOf(fc.tuple(quotation, opening, originationTime), ([example, one]) => {
      const { at, customer, wish } = one
      const released_on = saoPauloDate(at)
      const policy = policyOn(released_on)
      const answer = quotationFor(example, { customer, policy, released_on, wish }, at)
      if (answer.kind === "REFUSED") return [answer.rejection.kind]
      return [
        ...answer.offers.map(({ terms }) =>
          Result.isSuccess(judgeLenderOffer({ customer, policy, released_on, wish }, terms)) ? "valid" : "invalid"
        ),
        ...answer.unpriced.map(() => "unpriced")
      ]
    })
    assert.deepStrictEqual(
      kinds,
      ["CUSTOMER_ACTION", "FINAL", "TEMPORARY", "UPSTREAM", "invalid", "unpriced", "valid"]
    )
  })

  it("histories replay to the same events in ascending order of time, and reach every status and event", () => {
    checkProperty(history(), ({ application, opening, steps }) => {
      let present: Application = openApplication(opening)
      for (const { after, command, events } of steps) {
        assert.isTrue(command.at >= present.updated_at)
        assert.deepStrictEqual(decide(command, present), Result.succeed(events))
        present = events.reduce(evolve, present)
        assert.deepStrictEqual(after, present)
      }
      assert.deepStrictEqual(present, application)
    })
    const kinds = kindsOf(history(), ({ application, steps }) => [
      applicationStatus(application, application.updated_at),
      ...steps.flatMap(({ events }) => events.map(({ _tag }) => _tag))
    ], 600)
    const [statuses, events] = [/^[A-Z_]+$/, /[a-z]/].map((form) => kinds.filter((kind) => form.test(kind)))
    assert.lengthOf(statuses ?? [], 9)
    assert.includeMembers(events ?? [], [
      "ApplicationCancelled",
      "CancellationRequested",
      "ContractCancelled",
      "ContractRejected",
      "ContractSigned",
      "CustomerPaid",
      "GuaranteeConfirmed",
      "KycSubmitted",
      "OfferAccepted",
      "PaymentFailed",
      "QuoteCompleted",
      "QuoteFailed",
      "QuoteRejected",
      "QuoteRequested",
      "SignatureRequested"
    ])
  })

  it("proposals reach every status", () => {
    assert.lengthOf(kindsOf(proposal, ({ status }) => [status]), 11)
    checkProperty(
      contractedApplication,
      ({ proposal, quotes }) =>
        assert.isTrue(quotes.some(({ offers }) => offers.some(({ offer_id }) => offer_id === proposal.offer_id)))
    )
  })

  it.effect("`freshHistory` copies a history under other ids", () =>
    Effect.gen(function*() {
      const example = fc.sample(contractedHistory, { numRuns: 20, seed: 5 })
        .find(({ application }) => application.proposal !== null)
      if (example === undefined) throw new Error("No example has a proposal.")
      const partner_id = (yield* freshId) as PartnerId
      const [one, other] = [yield* freshHistory(example, partner_id), yield* freshHistory(example, partner_id)]
      assert.strictEqual(one.opening.partner_id, partner_id)
      assert.strictEqual(one.application.partner_id, partner_id)
      assert.notStrictEqual(one.application.application_id, other.application.application_id)
      assert.notStrictEqual(one.application.proposal?.number, other.application.proposal?.number)
      assert.deepStrictEqual(
        one.steps.map(({ events }) => events.map(({ _tag }) => _tag)),
        example.steps.map(({ events }) => events.map(({ _tag }) => _tag))
      )
      const text = JSON.stringify(other)
      for (const { quote_id } of one.application.quotes) assert.notInclude(text, quote_id)
    }))
})
