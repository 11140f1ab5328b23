import { assert, describe, it } from "@effect/vitest"
import {
  acceptOffer,
  type Application,
  type AuditEntry,
  authorize,
  createApplication,
  type KycValues,
  latestQuote,
  lookAtContracts,
  type OfferId,
  type Proposal,
  type ProposalId,
  type Quote,
  requoteApplication,
  submitKyc,
  type Timestamp
} from "@lastro/domain"
import {
  aCaller,
  aCompleteKyc,
  aCustomer,
  givenRoot,
  layerMemoryByHand,
  MemoryDatabase,
  PendingWork,
  ScriptedLender
} from "@lastro/testkit"
import { brokenRules, type Origination, originationRules } from "@lastro/testkit/stories"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"

/** An application that was quoted twice, accepted, and paid to a second account. */
const happened = Effect.gen(function*() {
  yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12))
  const { finish } = yield* PendingWork
  const lender = yield* ScriptedLender
  const database = yield* MemoryDatabase
  const write = Result.getOrThrow(authorize(yield* aCaller().at(yield* givenRoot()).asClient(), "fgts:write"))
  const customer = yield* aCustomer()
  const { application_id, quote: first } = yield* createApplication(write, { external_id: "loan-1", customer })
  yield* finish
  const { quote: second } = yield* requoteApplication(write, application_id, {})
  yield* finish
  yield* submitKyc(write, application_id, aCompleteKyc().for(customer).build())
  const present = Effect.map(
    database.state,
    ({ applications }) => Array.from(applications.values(), ({ application }) => application)
  )
  const [offer_id] = (yield* present).flatMap((one) => latestQuote(one).offers.map((offer) => offer.offer_id))
  const answer = yield* acceptOffer(write, application_id, offer_id as OfferId, { terms_accepted: true })
  yield* lender.bringsContractsTo("DISBURSEMENT_FAILED")
  yield* finish
  yield* submitKyc(write, application_id, { pix: { type: "EMAIL", key: "ana@example.com" } })
  yield* lender.bringsContractsTo("PAID")
  yield* finish
  yield* lookAtContracts()
  const origination: Origination = {
    applications: yield* present,
    audit: (yield* database.state).audit.filter(({ action }) => action.startsWith("application.")),
    contracts: yield* lender.contracts,
    calls: yield* lender.calls,
    told: [
      { _tag: "Quoting", application_id, quote_id: first.quote_id },
      { _tag: "Quoting", application_id, quote_id: second.quote_id },
      { _tag: "Accepted", answer }
    ]
  }
  return origination
})

type Tampering = (origination: Origination) => Origination

const application = (change: (one: Application) => Partial<Application>): Tampering => (origination) => ({
  ...origination,
  applications: origination.applications.map((one) => ({ ...one, ...change(one) }))
})

const proposal = (change: (one: Application) => Partial<Proposal>): Tampering =>
  application((one) => ({ proposal: one.proposal && { ...one.proposal, ...change(one) } }))

const latest = (change: Partial<Quote>): Tampering =>
  application(({ quotes: [first, ...others] }) => ({
    quotes: [first, ...others.map((one) => ({ ...one, ...change }))]
  }))

const kyc = (change: Partial<KycValues>): Tampering =>
  application((one) => ({ kyc: one.kyc && { ...one.kyc, ...change } }))

/** Puts other entries in the place of those that tell of a deed. */
const audited =
  (action: string, change: (entry: AuditEntry) => ReadonlyArray<AuditEntry>): Tampering => (origination) => ({
    ...origination,
    audit: origination.audit.flatMap((entry) => entry.action === action ? change(entry) : [entry])
  })

const later = "2026-03-01T12:00:00.000Z" as Timestamp

/** What breaks each rule, be it others too. */
const tamperings: Readonly<Record<string, Tampering>> = {
  "Nothing is known of an application that is not kept": (origination) => ({ ...origination, applications: [] }),
  "Quotes are numbered without gaps, and each is requested once the one before has come to its end": latest({
    number: 3
  }),
  "A newer quote supersedes every older offer: only one of the latest quote is accepted": proposal(
    ({ quotes: [{ offers: [first] }] }) => first === undefined ? {} : { offer_id: first.offer_id }
  ),
  "What came of a quote never changes, and no other is requested before": audited(
    "application.requote",
    (entry) => [{ ...entry, before: { quote: { number: 1, outcome: "PENDING", rejection: null }, proposal: null } }]
  ),
  "The first answer to a quote counts, and no other": audited("application.quote", (entry) => [entry, entry]),
  "Offers obey the policy of the day of their quote, and do not outlive it nor their lifetime": latest({
    completed_at: "2026-01-30T12:00:00.000Z" as Timestamp
  }),
  "No offer is accepted without a complete KYC": kyc({ mother_name: null }),
  "No offer is accepted once it has expired, nor on a day whose policy does not allow it": proposal(
    () => ({ created_at: later })
  ),
  "At most one offer of an application is accepted, once and for good": audited(
    "application.accept",
    (entry) => [entry, entry]
  ),
  "The lender has exactly one contract for each proposal, and none for what was not accepted": (origination) => ({
    ...origination,
    contracts: origination.contracts.flatMap((contract) => [contract, contract])
  }),
  "The lender was told of the offer that was accepted and of the person that is known": kyc({ is_pep: true }),
  "The customer is paid to where the KYC says, once for each time that paying was asked for": kyc({
    pix: { type: "EMAIL", key: "somebody@example.com" }
  }),
  "After an acceptance nothing of the KYC changes but where to pay, and that while paying failed": audited(
    "application.kyc",
    (entry) => [{ ...entry, changed: [...entry.changed, "kyc.mother_name"] }]
  ),
  "Nothing a caller was told is lost, and all were told of the same": proposal(
    () => ({ proposal_id: "01890000-0000-7000-8000-000000000000" as ProposalId })
  ),
  "Every quote and every contract comes to an end": proposal(() => ({ status: "SUBMITTING" })),
  "Each deed found what the one before it left, and what the last one left is kept": audited(
    "application.kyc",
    () => []
  )
}

describe("brokenRules", () => {
  it.effect("finds nothing in what happened one after the other", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(brokenRules(yield* happened), [])
    }).pipe(Effect.provide(layerMemoryByHand)))

  it.effect("finds every rule broken by what breaks it", () =>
    Effect.gen(function*() {
      const origination = yield* happened
      assert.sameMembers(Object.keys(tamperings), [...originationRules])
      for (const [rule, tamper] of Object.entries(tamperings)) {
        assert.include(brokenRules(tamper(origination)).map((broken) => broken.rule), rule)
      }
    }).pipe(Effect.provide(layerMemoryByHand)))
})
