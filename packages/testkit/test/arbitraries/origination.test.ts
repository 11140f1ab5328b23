import { assert, describe, it } from "@effect/vitest"
import {
  type Application,
  applicationStatus,
  Customer,
  decide,
  evolve,
  isComplete,
  judgeLenderOffer,
  judgePerson,
  KycValues,
  noKyc,
  opened,
  type PartnerId,
  patchKyc,
  policyOn,
  saoPauloDate,
  type Timestamp
} from "@lastro/domain"
import { freshHistory, freshId } from "@lastro/testkit"
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
import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"

const holds = <A>(arbitrary: fc.Arbitrary<A>, property: (example: A) => void) =>
  fc.assert(fc.property(arbitrary, property), { numRuns: 300 })

const kindsOf = <A>(arbitrary: fc.Arbitrary<A>, of: (example: A) => ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(fc.sample(arbitrary, { numRuns: 600, seed: 7 }).flatMap(of))

const decodesToItself = <A>(schema: Schema.Codec<A, unknown>, example: A) =>
  assert.deepStrictEqual(
    Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(example),
    Result.succeed(example)
  )

const today = saoPauloDate("2026-01-31T12:00:00.000Z" as Timestamp)

describe("arbitraries of origination", () => {
  it("customers are valid", () => holds(customer, (example) => decodesToItself(Customer, example)))

  it("KYCs are valid and about their customer; complete ones are complete, and others are not", () => {
    const known = customer.chain((of) =>
      fc.record({ of: fc.constant(of), complete: completeKyc(of), part: partialKyc(of) })
    )
    holds(known, ({ complete, of, part }) => {
      assert.isTrue(isComplete(complete))
      for (const kyc of [complete, part]) {
        decodesToItself(KycValues, kyc)
        const judged = Object.values(judgePerson({ customer: of }, kyc, today))
        assert.isTrue(judged.every(Result.isSuccess))
      }
    })
    assert.deepStrictEqual(
      kindsOf(known, ({ part }) => [String(isComplete(part)), String(part === noKyc || part.name === null)]),
      new Set(["true", "false"])
    )
  })

  it("a KYC's body submits that very KYC", () =>
    holds(
      opening.chain((one) => fc.tuple(fc.constant(opened(one)), completeKyc(one.customer))),
      ([application, kyc]) => assert.deepStrictEqual(patchKyc(application, kycBody(kyc), today), Result.succeed(kyc))
    ))

  it("FGTS-16 offers are lawful for what they were asked for", () =>
    holds(lenderOffer, ({ offer, offered }) =>
      assert.deepStrictEqual(
        judgeLenderOffer(offered.policy, { ...offered.wish, desired_amount: null }, offer.terms),
        Result.void
      )))

  it("quotations are offers, some of them spoiled, tables without one, and refusals", () => {
    const kinds = kindsOf(fc.tuple(quotation, opening, originationTime), ([example, one]) => {
      const { at, customer, wish } = one
      const released_on = saoPauloDate(at)
      const policy = policyOn(released_on)
      const answer = quotationFor(example, { customer, policy, released_on, wish }, at)
      if (answer.kind === "REFUSED") return [answer.rejection.kind]
      return [
        ...answer.offers.map(({ terms }) =>
          Result.isSuccess(judgeLenderOffer(policy, wish, terms)) ? "sound" : "spoiled"
        ),
        ...answer.unpriced.map(() => "unpriced")
      ]
    })
    assert.deepStrictEqual(
      kinds,
      new Set(["sound", "spoiled", "unpriced", "CUSTOMER_ACTION", "TEMPORARY", "FINAL", "UPSTREAM"])
    )
  })

  it("histories are what deciding makes of their commands, at rising times, and come everywhere", () => {
    holds(history(), ({ application, opening, steps }) => {
      let present: Application = opened(opening)
      for (const { after, command, events } of steps) {
        assert.isTrue(command.at >= present.updated_at)
        assert.deepStrictEqual(decide(command, present), Result.succeed(events))
        present = events.reduce(evolve, present)
        assert.deepStrictEqual(after, present)
      }
      assert.deepStrictEqual(present, application)
    })
    const statuses = kindsOf(history(), ({ application }) => [applicationStatus(application, application.updated_at)])
    assert.strictEqual(statuses.size, 8)
    const events = kindsOf(history(), ({ steps }) => steps.flatMap(({ events }) => events.map(({ _tag }) => _tag)))
    assert.strictEqual(events.size, 8)
  })

  it("proposals come to every status", () => {
    assert.strictEqual(kindsOf(proposal, ({ status }) => [status]).size, 8)
    holds(
      contractedApplication,
      ({ proposal, quotes }) =>
        assert.isTrue(quotes.some(({ offers }) => offers.some(({ offer_id }) => offer_id === proposal.offer_id)))
    )
  })

  it.effect("a fresh history is the same one under other ids", () =>
    Effect.gen(function*() {
      const example = fc.sample(contractedHistory, { numRuns: 20, seed: 5 })
        .find(({ application }) => application.proposal !== null)
      if (example === undefined) throw new Error("there is no example")
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
