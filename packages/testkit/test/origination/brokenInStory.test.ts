import { assert, describe, it } from "@effect/vitest"
import { type Application, centavos, latestQuote, timestampOf } from "@lastro/domain"
import {
  accepted,
  anApplication,
  contracted,
  moved,
  quoted,
  requoted,
  type ScriptedContract,
  withKyc,
  type Work
} from "@lastro/testkit"
import { brokenInStory, type Observation } from "@lastro/testkit/stories"
import { Effect } from "effect"

const opening = anApplication()

/** An observation that is in order: nothing was done, and nothing happened. */
const observed = (before: Application, change: Partial<Observation>): Observation => ({
  at: before.updated_at,
  done: { does: "contract", earlier_payment: false },
  outcome: "done",
  told: {},
  before,
  after: before,
  ...change
})

/** Work on whatever needs it. */
const workOn = ({ proposal, quotes }: Application): ReadonlyArray<Work> => [
  ...quotes.map(({ quote_id }) => ({ _tag: "Quote", quote_id }) as const),
  ...(proposal === null
    ? []
    : [{ _tag: "Contract", proposal_id: proposal.proposal_id, attempt: proposal.disbursement_attempt } as const])
]

const broken = (
  observation: Observation,
  beside: { readonly work?: ReadonlyArray<Work>; readonly contracts?: ReadonlyArray<ScriptedContract> } = {}
): ReadonlyArray<number> => [
  ...new Set(
    brokenInStory({ observations: [observation], work: workOn(observation.after), contracts: [], ...beside })
      .map(({ rule }) => rule)
  )
]

const version = (application: Application): Application => ({ ...application, version: application.version + 1 })

const contractOf = ({ application_id, proposal }: Application): ScriptedContract => {
  if (proposal === null) throw new Error("nothing was accepted")
  const { disbursement, disbursement_attempt, proposal_id } = proposal
  const standing = { status: "DISBURSING", signature_url: null, rejection: null } as const
  return {
    application_id,
    proposal_id,
    contract: { reference: "contract", ...standing, disbursement_attempt },
    payments: [disbursement]
  }
}

/** A little later than the last fact. */
const soonAfter = ({ updated_at }: Application) => timestampOf(Date.parse(updated_at) + 1)

describe("brokenInStory", () => {
  it.effect("finds nothing wrong with what is right", () =>
    Effect.gen(function*() {
      const fresh = yield* opening
      const offered = yield* quoted(fresh)
      const known = withKyc(offered)
      const agreed = yield* accepted(known)
      const again = yield* requoted(offered)
      const offer_id = agreed.proposal?.offer_id ?? latestQuote(known).offers[0]?.offer_id
      if (offer_id === undefined) throw new Error("there is no offer")
      const steps: ReadonlyArray<Observation> = [
        observed(fresh, { done: { does: "answer", quote_id: latestQuote(fresh).quote_id }, after: offered }),
        observed(offered, { done: { does: "requote" }, after: again }),
        observed(again, { done: { does: "requote" }, outcome: "QuoteInProgress" }),
        observed(offered, { done: { does: "kyc", where_to_pay_only: false }, after: known }),
        observed(known, { done: { does: "accept", offer_id, terms_accepted: true }, after: agreed }),
        observed(agreed, { done: { does: "accept", offer_id, terms_accepted: true } }),
        observed(agreed, { after: moved(agreed, "PAID") })
      ]
      for (const step of steps) assert.deepStrictEqual(broken(step), [])
    }))

  it.effect("rule 1: finds another quote while one is pending, after an acceptance, and one that was refused but made", () =>
    Effect.gen(function*() {
      const fresh = yield* opening
      const offered = yield* quoted(fresh)
      const twice = { ...fresh, quotes: [...fresh.quotes, { ...latestQuote(fresh), number: 2 }] } as Application
      assert.include(broken(observed(fresh, { done: { does: "requote" }, after: version(twice) })), 1)
      const agreed = yield* contracted(fresh)
      const { quotes } = yield* requoted(offered)
      assert.include(broken(observed(agreed, { done: { does: "requote" }, after: version({ ...agreed, quotes }) })), 1)
      const again = yield* requoted(offered)
      const refused = { done: { does: "requote" }, outcome: "ApplicationNotQuotable", after: again } as const
      assert.include(broken(observed(offered, refused)), 1)
    }))

  it.effect("T46 rule 2: finds an answer that was kept although it came late, or for an older quote", () =>
    Effect.gen(function*() {
      const offered = yield* quoted(yield* opening)
      const other = yield* quoted(yield* opening, { nets: [centavos(500_00)] })
      const quote = { ...latestQuote(offered), offers: latestQuote(other).offers }
      const done = { does: "answer", quote_id: quote.quote_id } as const
      assert.include(broken(observed(offered, { done, after: version({ ...offered, quotes: [quote] }) })), 2)
      const again = yield* requoted(offered)
      const quotes = [quote, ...again.quotes.slice(1)] as unknown as Application["quotes"]
      assert.include(broken(observed(again, { done, after: version({ ...again, quotes }) })), 2)
    }))

  it.effect("T40 T43 T44 rule 3: finds what was accepted although it was superseded, expired, unlawful, or little known of", () =>
    Effect.gen(function*() {
      const known = withKyc(yield* quoted(yield* opening))
      const agreed = yield* accepted(known)
      const offer_id = agreed.proposal?.offer_id ?? latestQuote(known).offers[0]?.offer_id
      const offer = latestQuote(known).offers[0]
      if (offer_id === undefined || offer === undefined) throw new Error("there is no offer")
      const done = { does: "accept", offer_id, terms_accepted: true } as const
      const again = yield* requoted(known)
      const cases: ReadonlyArray<Observation> = [
        observed(again, { done, after: version({ ...again, proposal: agreed.proposal }) }),
        observed(known, { done, after: agreed, at: offer.expires_at }),
        observed(known, { done, after: agreed, at: timestampOf(Date.UTC(2027, 0)) }),
        observed({ ...known, kyc: null }, { done, after: agreed }),
        observed(known, { done: { ...done, terms_accepted: false }, after: agreed }),
        observed(known, { done, outcome: "OfferNotAvailable" }),
        observed(known, { done: { does: "contract", earlier_payment: false }, after: agreed })
      ]
      for (const one of cases) assert.include(broken(one), 3, JSON.stringify([one.done, one.outcome]))
    }))

  it.effect("T42 rule 4: finds a second proposal and a second contract", () =>
    Effect.gen(function*() {
      const known = withKyc(yield* quoted(yield* opening))
      const [agreed, other] = [yield* accepted(known), yield* accepted(known, { offer: 1 })]
      assert.include(broken(observed(agreed, { after: version(other) })), 4)
      assert.include(broken(observed(agreed, {}), { contracts: [contractOf(agreed), contractOf(other)] }), 4)
      assert.include(broken(observed(agreed, {}), { contracts: [contractOf(other)] }), 4)
      assert.include(broken(observed(known, {}), { contracts: [contractOf(agreed)] }), 4)
    }))

  it.effect("T45 rule 5: finds KYC that changed after the acceptance, and an account that changed without another payment", () =>
    Effect.gen(function*() {
      const agreed = yield* contracted(yield* opening)
      const failed = moved(agreed, "DISBURSEMENT_FAILED")
      const again = withKyc(failed)
      const { kyc } = agreed
      if (kyc === null) throw new Error("nothing is known")
      const done = { does: "kyc", where_to_pay_only: true } as const
      const elsewhere = version({ ...failed, kyc: { ...kyc, disbursement_method: null } })
      const somebody = version({ ...failed, kyc: { ...kyc, is_pep: true } })
      const cases: ReadonlyArray<Observation> = [
        observed(agreed, { done, after: elsewhere }),
        observed(agreed, { after: version({ ...agreed, kyc: { ...kyc, is_pep: true } }) }),
        observed(failed, { done, after: elsewhere }),
        observed(failed, { done, after: somebody }),
        observed(failed, { done, outcome: "KycLocked" }),
        observed(again, {
          done: { does: "contract", earlier_payment: true },
          after: moved(again, "DISBURSEMENT_FAILED")
        })
      ]
      for (const one of cases) assert.include(broken(one), 5, JSON.stringify(one.done))
    }))

  it.effect("T50 rule 6: finds an offer against the law, and one that lasts too long", () =>
    Effect.gen(function*() {
      const offered = yield* quoted(yield* opening)
      const quote = latestQuote(offered)
      const [offer, ...offers] = quote.offers
      const installment = offer?.terms.installments[0]
      if (offer === undefined || installment === undefined) throw new Error("there is no offer")
      const withOffer = (change: Partial<typeof offer>): Application => ({
        ...offered,
        quotes: [{ ...quote, offers: [{ ...offer, ...change }, ...offers] }]
      })
      const withAmount = (amount: number) =>
        withOffer({ terms: { ...offer.terms, installments: [{ ...installment, amount: centavos(amount) }] } })
      for (const amount of [99_99, 500_01]) assert.include(broken(observed(withAmount(amount), {})), 6)
      for (const amount of [100_00, 500_00]) assert.deepStrictEqual(broken(observed(withAmount(amount), {})), [])
      const late = timestampOf(Date.parse(quote.completed_at ?? "") + 24 * 3_600_000 + 1)
      assert.include(broken(observed(withOffer({ expires_at: late }), {})), 6)
    }))

  it.effect("rule 7: finds what was told and is lost, what nobody works on, and what ended twice", () =>
    Effect.gen(function*() {
      const fresh = yield* opening
      const other = yield* opening
      assert.include(broken(observed(fresh, { told: { quote_id: latestQuote(other).quote_id } })), 7)
      assert.include(broken(observed(fresh, {}), { work: [] }), 7)
      const agreed = yield* contracted(fresh)
      assert.include(broken(observed(agreed, {}), { work: [] }), 7)
      const [paid, cancelled] = [moved(agreed, "PAID"), moved(agreed, "CANCELLED")]
      assert.include(broken(observed(paid, { after: { ...cancelled, version: paid.version + 1 } })), 7)
      const failed = moved(agreed, "DISBURSEMENT_FAILED")
      const mended = withKyc(failed, { at: soonAfter(failed) })
      const contracts = [contractOf(failed)]
      assert.include(broken(observed(mended, {}), { work: [], contracts }), 7)
      assert.deepStrictEqual(broken(observed(mended, {}), { contracts }), [])
    }))
})
