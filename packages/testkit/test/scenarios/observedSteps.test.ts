import { assert, describe, it } from "@effect/vitest"
import { type Job } from "@lastro/domain/jobs"
import { type Application, latestQuote } from "@lastro/domain/loan"
import { readProposal, type StoredProposal, storeProposal } from "@lastro/domain/origination"
import { centavos, timestampOf } from "@lastro/domain/values"
import {
  acceptQuotedOffer,
  anApplication,
  answerWithOffers,
  contractApplication,
  recordContractStatus,
  requestAnotherQuote,
  type ScriptedContract,
  submitExampleKyc
} from "@lastro/testkit"
import { findViolations, type Observation } from "@lastro/testkit/scenarios"
import { Effect } from "effect"
import { commandStatements } from "./commandStatements.ts"

const opening = anApplication()

/** Returns an observation that violates no rule: a contract poll that changes nothing. */
const observe = (before: Application, change: Partial<Observation>): Observation => ({
  at: before.updated_at,
  command: { _tag: "RecordContract", is_earlier_payment: false },
  outcome: "done",
  response: null,
  before,
  after: before,
  ...change
})

const jobsOf = ({ proposal, quotes }: Application): ReadonlyArray<Job> => [
  ...quotes.map(({ quote_id }) => ({ kind: "quote", id: quote_id }) as const),
  ...(proposal === null ? [] : [{ kind: "contract", id: proposal.proposal_id } as const])
]

/** All statements that the tests of this file have violated. */
const violated = new Set<string>()

/** Returns the numbers of the violated rules. */
const violatedBy = (
  observation: Observation,
  evidence: { readonly pending?: ReadonlyArray<Job>; readonly contracts?: ReadonlyArray<ScriptedContract> } = {}
): ReadonlyArray<number> => [
  ...new Set(
    findViolations({
      application: observation.after,
      observations: [observation],
      audit: null,
      contracts: [],
      submissions: [],
      responses: observation.response === null ? [] : [observation.response],
      pending: jobsOf(observation.after),
      ...evidence
    }).map(({ rule, statement }) => {
      violated.add(statement)
      return rule
    })
  )
]

const withNextVersion = (application: Application): Application => ({
  ...application,
  version: application.version + 1
})

const contractOf = ({ application_id, proposal }: Application): ScriptedContract => {
  if (proposal === null) throw new Error("No offer is accepted.")
  const { disbursement, disbursement_attempt, proposal_id } = proposal
  const state = { status: "DISBURSING", signature_url: null, rejection: null } as const
  return {
    application_id,
    proposal_id,
    contract: { reference: "contract", ...state, disbursement_attempt },
    payments: [disbursement]
  }
}

/** Returns the millisecond after the last change. */
const justAfter = ({ updated_at }: Application) => timestampOf(Date.parse(updated_at) + 1)

describe("findViolations with observed commands", () => {
  it.effect("finds no violation in valid commands", () =>
    Effect.gen(function*() {
      const fresh = yield* opening
      const offered = yield* answerWithOffers(fresh)
      const submitted = submitExampleKyc(offered)
      const acceptedOnce = yield* acceptQuotedOffer(submitted)
      const again = yield* requestAnotherQuote(offered)
      const offer_id = acceptedOnce.proposal?.offer_id ?? latestQuote(submitted).offers[0]?.offer_id
      if (offer_id === undefined) throw new Error("The quote has no offer.")
      const steps: ReadonlyArray<Observation> = [
        observe(fresh, { command: { _tag: "RecordQuote", quote_id: latestQuote(fresh).quote_id }, after: offered }),
        observe(offered, { command: { _tag: "Requote" }, after: again }),
        observe(again, { command: { _tag: "Requote" }, outcome: "QuoteInProgress" }),
        observe(offered, { command: { _tag: "SubmitKyc", is_account_only: false }, after: submitted }),
        observe(submitted, { command: { _tag: "AcceptOffer", offer_id, terms_accepted: true }, after: acceptedOnce }),
        observe(acceptedOnce, { command: { _tag: "AcceptOffer", offer_id, terms_accepted: true } }),
        observe(acceptedOnce, { after: recordContractStatus(acceptedOnce, "PAID") })
      ]
      for (const step of steps) assert.deepStrictEqual(violatedBy(step), [])
    }))

  it.effect("rule 1: finds a re-quote while one is pending, one after an acceptance, and a refused one that adds a quote", () =>
    Effect.gen(function*() {
      const fresh = yield* opening
      const offered = yield* answerWithOffers(fresh)
      const twice = { ...fresh, quotes: [...fresh.quotes, { ...latestQuote(fresh), number: 2 }] } as Application
      assert.include(violatedBy(observe(fresh, { command: { _tag: "Requote" }, after: withNextVersion(twice) })), 1)
      const acceptedOnce = yield* contractApplication(fresh)
      const { quotes } = yield* requestAnotherQuote(offered)
      assert.include(
        violatedBy(
          observe(acceptedOnce, { command: { _tag: "Requote" }, after: withNextVersion({ ...acceptedOnce, quotes }) })
        ),
        1
      )
      const again = yield* requestAnotherQuote(offered)
      const refused = { command: { _tag: "Requote" }, outcome: "ApplicationNotQuotable", after: again } as const
      assert.include(violatedBy(observe(offered, refused)), 1)
    }))

  it.effect("T46 rule 2: finds a recorded result that was late or for an older quote", () =>
    Effect.gen(function*() {
      const offered = yield* answerWithOffers(yield* opening)
      const other = yield* answerWithOffers(yield* opening, { nets: [centavos(500_00)] })
      const quote = { ...latestQuote(offered), offers: latestQuote(other).offers }
      const command = { _tag: "RecordQuote", quote_id: quote.quote_id } as const
      assert.include(
        violatedBy(observe(offered, { command, after: withNextVersion({ ...offered, quotes: [quote] }) })),
        2
      )
      const again = yield* requestAnotherQuote(offered)
      const quotes = [quote, ...again.quotes.slice(1)] as unknown as Application["quotes"]
      assert.include(violatedBy(observe(again, { command, after: withNextVersion({ ...again, quotes }) })), 2)
    }))

  it.effect("T40 T43 T44 rule 3: finds an accepted offer that was superseded, expired, unlawful or without complete KYC", () =>
    Effect.gen(function*() {
      const submitted = submitExampleKyc(yield* answerWithOffers(yield* opening))
      const acceptedOnce = yield* acceptQuotedOffer(submitted)
      const offer_id = acceptedOnce.proposal?.offer_id ?? latestQuote(submitted).offers[0]?.offer_id
      const offer = latestQuote(submitted).offers[0]
      if (offer_id === undefined || offer === undefined) throw new Error("The quote has no offer.")
      const command = { _tag: "AcceptOffer", offer_id, terms_accepted: true } as const
      const again = yield* requestAnotherQuote(submitted)
      const cases: ReadonlyArray<Observation> = [
        observe(again, { command, after: withNextVersion({ ...again, proposal: acceptedOnce.proposal }) }),
        observe(submitted, { command, after: acceptedOnce, at: offer.expires_at }),
        observe(submitted, { command, after: acceptedOnce, at: timestampOf(Date.UTC(2027, 0)) }),
        observe({ ...submitted, kyc: null }, { command, after: acceptedOnce }),
        observe(submitted, { command: { ...command, terms_accepted: false }, after: acceptedOnce }),
        observe(submitted, { command, outcome: "OfferNotAvailable" }),
        observe(submitted, { command: { _tag: "RecordContract", is_earlier_payment: false }, after: acceptedOnce })
      ]
      for (const one of cases) assert.include(violatedBy(one), 3, JSON.stringify([one.command, one.outcome]))
    }))

  it.effect("T42 rule 4: finds a second proposal and a second contract", () =>
    Effect.gen(function*() {
      const submitted = submitExampleKyc(yield* answerWithOffers(yield* opening))
      const [acceptedOnce, other] = [
        yield* acceptQuotedOffer(submitted),
        yield* acceptQuotedOffer(submitted, { offer: 1 })
      ]
      assert.include(violatedBy(observe(acceptedOnce, { after: withNextVersion(other) })), 4)
      assert.include(
        violatedBy(observe(acceptedOnce, {}), { contracts: [contractOf(acceptedOnce), contractOf(other)] }),
        4
      )
      assert.include(violatedBy(observe(acceptedOnce, {}), { contracts: [contractOf(other)] }), 4)
      assert.include(violatedBy(observe(submitted, {}), { contracts: [contractOf(acceptedOnce)] }), 4)
    }))

  it.effect("T45 rule 5: finds KYC changed after the acceptance, and an account changed without another payment", () =>
    Effect.gen(function*() {
      const acceptedOnce = yield* contractApplication(yield* opening)
      const failed = recordContractStatus(acceptedOnce, "DISBURSEMENT_FAILED")
      const again = submitExampleKyc(failed)
      const { kyc } = acceptedOnce
      if (kyc === null) throw new Error("The application has no KYC.")
      const command = { _tag: "SubmitKyc", is_account_only: true } as const
      const otherAccount = withNextVersion({ ...failed, kyc: { ...kyc, disbursement_method: null } })
      const otherPerson = withNextVersion({ ...failed, kyc: { ...kyc, is_pep: true } })
      const cases: ReadonlyArray<Observation> = [
        observe(acceptedOnce, { command, after: otherAccount }),
        observe(acceptedOnce, { after: withNextVersion({ ...acceptedOnce, kyc: { ...kyc, is_pep: true } }) }),
        observe(failed, { command, after: otherAccount }),
        observe(failed, { command, after: otherPerson }),
        observe(failed, { command, outcome: "KycLocked" }),
        observe(again, {
          command: { _tag: "RecordContract", is_earlier_payment: true },
          after: recordContractStatus(again, "DISBURSEMENT_FAILED")
        })
      ]
      for (const one of cases) assert.include(violatedBy(one), 5, JSON.stringify(one.command))
    }))

  it.effect("T50 rule 6: finds an unlawful offer, and one that expires too late", () =>
    Effect.gen(function*() {
      const offered = yield* answerWithOffers(yield* opening)
      const quote = latestQuote(offered)
      const [offer, ...offers] = quote.offers
      const installment = offer?.terms.installments[0]
      if (offer === undefined || installment === undefined) throw new Error("The quote has no offer.")
      const withOffer = (change: Partial<typeof offer>): Application => ({
        ...offered,
        quotes: [{ ...quote, offers: [{ ...offer, ...change }, ...offers] }]
      })
      const withAmount = (amount: number) =>
        withOffer({ terms: { ...offer.terms, installments: [{ ...installment, amount: centavos(amount) }] } })
      for (const amount of [99_99, 500_01]) assert.include(violatedBy(observe(withAmount(amount), {})), 6)
      for (const amount of [100_00, 500_00]) assert.deepStrictEqual(violatedBy(observe(withAmount(amount), {})), [])
      const late = timestampOf(Date.parse(quote.completed_at ?? "") + 24 * 3_600_000 + 1)
      assert.include(violatedBy(observe(withOffer({ expires_at: late }), {})), 6)
    }))

  it.effect("rule 7: finds a lost quote, missing jobs, and a contract that ended twice", () =>
    Effect.gen(function*() {
      const fresh = yield* opening
      const other = yield* opening
      assert.include(
        violatedBy(
          observe(fresh, {
            response: { _tag: "Quoting", application_id: other.application_id, quote_id: latestQuote(other).quote_id }
          })
        ),
        7
      )
      assert.include(violatedBy(observe(fresh, {}), { pending: [] }), 7)
      const acceptedOnce = yield* contractApplication(fresh)
      assert.include(violatedBy(observe(acceptedOnce, {}), { pending: [] }), 7)
      const [rejected, cancelled] = [
        recordContractStatus(acceptedOnce, "REJECTED"),
        recordContractStatus(acceptedOnce, "CANCELLED")
      ]
      assert.include(violatedBy(observe(rejected, { after: { ...cancelled, version: rejected.version + 1 } })), 7)
      const failed = recordContractStatus(acceptedOnce, "DISBURSEMENT_FAILED")
      const mended = submitExampleKyc(failed, { at: justAfter(failed) })
      const contracts = [contractOf(failed)]
      assert.include(violatedBy(observe(mended, {}), { pending: [], contracts }), 7)
      assert.deepStrictEqual(violatedBy(observe(mended, {}), { contracts }), [])
    }))

  it.effect("rules 4 and 5: finds exits that were wrongly granted, refused or carried out", () =>
    Effect.gen(function*() {
      const accepted = yield* contractApplication(yield* opening)
      const { kyc, proposal } = accepted
      if (proposal === null || kyc === null) throw new Error("No offer is accepted.")
      const at = accepted.updated_at
      const withProposal = (change: Partial<StoredProposal>): Application => ({
        ...accepted,
        proposal: readProposal({ ...storeProposal(proposal), reference: "contract-1", ...change })
      })
      const paid = withProposal({ status: "PAID", status_history: [{ status: "PAID", at, reason: null }] })
      const signing = withProposal({ status: "AWAITING_SIGNATURE" })
      const refused = withProposal({ status: "CORRECTION_NEEDED", correction: { fields: ["phone"] } })
      const withdraw = { _tag: "WithdrawFromProposal" } as const
      const renew = { _tag: "RenewSignatureLink" } as const
      const submitKyc = { _tag: "SubmitKyc", is_account_only: false } as const
      const refunding = withNextVersion(withProposal({ status: "REFUND_PENDING" }))
      const eighthDay = timestampOf(Date.parse(at) + 8 * 24 * 3_600_000)
      const corrected = (change: Partial<typeof kyc>) => withNextVersion({ ...refused, kyc: { ...kyc, ...change } })
      const phone = "11900000000" as typeof kyc.phone
      const kept: ReadonlyArray<Observation> = [
        observe(paid, { command: withdraw, at, after: refunding }),
        observe(paid, { command: withdraw, at: eighthDay, outcome: "ProposalNotWithdrawable" }),
        observe(signing, { command: renew, after: withNextVersion(signing) }),
        observe(paid, { command: renew, outcome: "SignatureNotPending" }),
        observe(refused, { command: submitKyc, after: corrected({ phone }) })
      ]
      for (const one of kept) assert.deepStrictEqual(violatedBy(one), [], JSON.stringify([one.command, one.outcome]))
      const cases: ReadonlyArray<readonly [rule: number, Observation]> = [
        [4, observe(paid, { command: withdraw, at: eighthDay, after: refunding })],
        [4, observe(paid, { command: withdraw, outcome: "ProposalNotWithdrawable" })],
        [4, observe(paid, { command: withdraw })],
        [4, observe(signing, { command: withdraw, outcome: "ProposalNotWithdrawable", after: refunding })],
        [4, observe(paid, { after: withNextVersion(withProposal({ status: "CANCELLED" })) })],
        [4, observe(paid, { command: renew })],
        [4, observe(signing, { command: renew, outcome: "SignatureNotPending" })],
        [4, observe(paid, { command: renew, outcome: "SignatureNotPending", after: withNextVersion(paid) })],
        [5, observe(refused, { command: submitKyc, after: corrected({ is_pep: kyc.is_pep !== true }) })]
      ]
      for (const [rule, one] of cases) assert.include(violatedBy(one), rule, JSON.stringify([one.command, one.outcome]))
    }))

  it.effect("every statement about observed commands is violated by a test", () =>
    Effect.gen(function*() {
      const offered = yield* answerWithOffers(yield* opening)
      const submitted = submitExampleKyc(offered)
      const agreed = yield* acceptQuotedOffer(submitted)
      const failed = recordContractStatus(yield* contractApplication(yield* opening), "DISBURSEMENT_FAILED")
      const paidAgain = submitExampleKyc(failed, { at: justAfter(failed) })
      const [best, other] = latestQuote(submitted).offers
      if (best === undefined || other === undefined || paidAgain.proposal === null) {
        throw new Error("The fixture has no second offer or no second payment.")
      }
      const accept = ({ offer_id }: typeof best) => ({ _tag: "AcceptOffer", offer_id, terms_accepted: true }) as const
      const submitKyc = { _tag: "SubmitKyc", is_account_only: true } as const
      const cases: ReadonlyArray<Observation> = [
        observe(offered, { after: yield* requestAnotherQuote(offered) }),
        observe(submitted, { command: accept(other), after: agreed }),
        observe(submitted, { command: accept(best), outcome: "KycIncomplete", after: agreed }),
        observe(agreed, { command: accept(best), after: withNextVersion(agreed) }),
        observe(offered, { command: submitKyc, outcome: "KycLocked" }),
        observe(offered, { command: submitKyc, outcome: "ValidationFailed", after: submitted }),
        observe(failed, {
          command: submitKyc,
          after: { ...paidAgain, proposal: readProposal({ ...storeProposal(paidAgain.proposal), status: "PAID" }) }
        }),
        observe(offered, { command: { _tag: "CancelApplication" }, outcome: "ApplicationNotCancellable" }),
        observe(offered, { command: { _tag: "CancelApplication" }, after: withNextVersion(offered) }),
        observe(offered, {
          command: { _tag: "CancelApplication" },
          outcome: "ApplicationNotCancellable",
          after: withNextVersion(offered)
        }),
        observe(offered, { after: { ...withNextVersion(offered), updated_at: timestampOf(0) } }),
        observe(offered, { after: { ...offered, external_id: "other" } })
      ]
      for (const one of cases) assert.isNotEmpty(violatedBy(one))
      assert.includeMembers([...violated], [...commandStatements])
    }))
})
