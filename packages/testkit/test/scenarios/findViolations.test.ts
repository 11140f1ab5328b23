import { assert, describe, it } from "@effect/vitest"
import { authorize } from "@lastro/domain/access"
import { type AuditEntry } from "@lastro/domain/audit"
import { type KycValues } from "@lastro/domain/kyc"
import { type Application, latestQuote } from "@lastro/domain/loan"
import { type Quote } from "@lastro/domain/offer"
import {
  acceptOffer,
  createApplication,
  readProposal,
  requoteApplication,
  type StoredProposal,
  storeProposal,
  submitKyc
} from "@lastro/domain/origination"
import { calendarDate, type OfferId, type ProposalId, type Timestamp } from "@lastro/domain/values"
import {
  aCaller,
  aCompleteKyc,
  aCustomer,
  layerMemoryByHand,
  MemoryDatabase,
  PendingWork,
  ScriptedLender,
  storeRootPartner
} from "@lastro/testkit"
import { findAllViolations, loanStatements, type OriginationRecords } from "@lastro/testkit/scenarios"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { commandStatements } from "./commandStatements.ts"

/** Runs a loan that was quoted twice, accepted, and paid to a second account, and collects the evidence. */
const runLoan = Effect.gen(function*() {
  yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12))
  const { finish, poll } = yield* PendingWork
  const lender = yield* ScriptedLender
  const database = yield* MemoryDatabase
  const write = Result.getOrThrow(authorize(yield* aCaller().at(yield* storeRootPartner()).asClient(), "fgts:write"))
  const customer = yield* aCustomer()
  const created = yield* createApplication(write, { external_id: "loan-1", customer })
  const { application_id, quote: first } = created.answer
  yield* finish
  const { answer: { quote: second } } = yield* requoteApplication(write, application_id, {})
  yield* finish
  yield* submitKyc(write, application_id, aCompleteKyc().for(customer).build())
  const present = Effect.map(
    database.state,
    ({ applications }) => Array.from(applications.values(), ({ application }) => application)
  )
  const [offer_id] = (yield* present).flatMap((one) => latestQuote(one).offers.map((offer) => offer.offer_id))
  const { answer } = yield* acceptOffer(write, application_id, offer_id as OfferId, { terms_accepted: true })
  yield* lender.setContractStatus("DISBURSEMENT_FAILED")
  yield* finish
  yield* submitKyc(write, application_id, { pix: { type: "EMAIL", key: "ana@example.com" } })
  yield* lender.setContractStatus("PAID")
  yield* finish
  yield* poll
  const origination: OriginationRecords = {
    applications: yield* present,
    audit: (yield* database.state).audit.filter(({ action }) => action.startsWith("application.")),
    contracts: yield* lender.contracts,
    calls: yield* lender.calls,
    responses: [
      { _tag: "Quoting", application_id, quote_id: first.quote_id },
      { _tag: "Quoting", application_id, quote_id: second.quote_id },
      { _tag: "Accepted", answer }
    ]
  }
  return origination
})

type Tampering = (origination: OriginationRecords) => OriginationRecords

const changeApplication = (change: (one: Application) => Partial<Application>): Tampering => (origination) => ({
  ...origination,
  applications: origination.applications.map((one) => ({ ...one, ...change(one) }))
})

const changeProposal = (change: (one: Application) => Partial<StoredProposal>): Tampering =>
  changeApplication((one) => ({
    proposal: one.proposal && readProposal({ ...storeProposal(one.proposal), ...change(one) })
  }))

const changeLatestQuote = (change: Partial<Quote>): Tampering =>
  changeApplication(({ quotes: [first, ...others] }) => ({
    quotes: [first, ...others.map((one) => ({ ...one, ...change }))]
  }))

const changeKyc = (change: Partial<KycValues>): Tampering =>
  changeApplication((one) => ({ kyc: one.kyc && { ...one.kyc, ...change } }))

/** Returns a change of the evidence that replaces the audit entries of an action. */
const changeAudit =
  (action: string, change: (entry: AuditEntry) => ReadonlyArray<AuditEntry>): Tampering => (origination) => ({
    ...origination,
    audit: origination.audit.flatMap((entry) => entry.action === action ? change(entry) : [entry])
  })

const later = "2026-03-01T12:00:00.000Z" as Timestamp

/**
 * For each statement that does not need observed commands, a change of the evidence that violates it. The change may
 * violate other statements as well.
 */
const tamperings: Readonly<Record<string, Tampering>> = {
  "Every response and every contract belongs to a stored application": (origination) => ({
    ...origination,
    applications: []
  }),
  "Quotes are numbered without gaps, and each is requested after the previous one completed": changeLatestQuote({
    number: 3
  }),
  "A re-quote supersedes every older offer: an accepted offer belongs to the latest quote": changeProposal(
    ({ quotes: [{ offers: [first] }] }) => first === undefined ? {} : { offer_id: first.offer_id }
  ),
  "A quote completes once, before the next one is requested": changeAudit(
    "application.requote",
    (entry) => [{ ...entry, before: { quote: { number: 1, outcome: "PENDING", rejection: null }, proposal: null } }]
  ),
  "Each completed quote has one audited result": changeAudit("application.quote", (entry) => [entry, entry]),
  "Offers comply with the policy of the day on which their quote was requested": changeLatestQuote({
    created_at: "2026-11-02T12:00:00.000Z" as Timestamp
  }),
  "Offers have at most as many instalments as requested": changeLatestQuote({
    wish: { max_installments: 1, desired_amount: null }
  }),
  "Instalments are due in the customer's birth month, after the request, in ascending years": changeApplication(
    ({ customer }) => ({ customer: { ...customer, birth_date: calendarDate("1990-06-17") } })
  ),
  "Offers expire within 24 hours, no later than their policy ends, and before their first instalment is due":
    changeLatestQuote({ completed_at: "2026-01-30T12:00:00.000Z" as Timestamp }),
  "No offer is accepted without a complete KYC": changeKyc({ mother_name: null }),
  "No offer is accepted after its expiry, or on a day on which the policy does not allow it": changeProposal(
    () => ({ created_at: later })
  ),
  "An accepted offer stays accepted": changeAudit(
    "application.contract",
    (entry) => [{ ...entry, after: { ...Object(entry.after), proposal: null } }]
  ),
  "All successful acceptances receive the same response": changeProposal(
    () => ({ proposal_id: "01890000-0000-7000-8000-000000000000" as ProposalId })
  ),
  "The audit log has one acceptance if the application has a proposal, and none otherwise": changeAudit(
    "application.accept",
    (entry) => [entry, entry]
  ),
  "The lender has exactly one contract for a proposal, and none without a proposal": (origination) => ({
    ...origination,
    contracts: origination.contracts.flatMap((contract) => [contract, contract])
  }),
  "After an acceptance, only the account can change, and only after a failed payment or a refusal of the data":
    changeAudit(
      "application.kyc",
      (entry) => [{ ...entry, changed: [...entry.changed, "kyc.mother_name"] }]
    ),
  "Every submission to the lender contains the accepted offer and the personal data of the KYC": changeKyc({
    is_pep: true
  }),
  "The proposal is paid to the account in the KYC": changeKyc({ pix: { type: "EMAIL", key: "other@example.com" } }),
  "The lender makes each requested payment once, to the requested account": (origination) => ({
    ...origination,
    contracts: origination.contracts.map((contract) => ({ ...contract, payments: contract.payments.slice(0, 1) }))
  }),
  "The lender starts at most one refund for each withdrawal": (origination) => ({
    ...origination,
    contracts: origination.contracts.map((contract) => ({ ...contract, refunds: [later] }))
  }),
  "Every quote in a response is stored": (origination) => ({
    ...origination,
    applications: origination.applications.map((one) => ({ ...one, quotes: [one.quotes[0]] }))
  }),
  "Every pending quote has a job": changeLatestQuote({ outcome: "PENDING" }),
  "Every contract and payment that the lender has not received has a job": changeProposal(
    () => ({ status: "SUBMITTING", reference: null })
  ),
  "Each audited change starts from the result of the previous one, and the last result is the stored state":
    changeAudit(
      "application.kyc",
      () => []
    )
}

const statementsOf = (origination: OriginationRecords): ReadonlyArray<string> =>
  findAllViolations(origination).map(({ statement }) => statement)

describe("findViolations after a race", () => {
  it.effect("finds no violation in a loan that ran sequentially", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(findAllViolations(yield* runLoan), [])
    }).pipe(Effect.provide(layerMemoryByHand)))

  it.effect("finds every violated statement", () =>
    Effect.gen(function*() {
      const origination = yield* runLoan
      assert.sameMembers([...Object.keys(tamperings), ...commandStatements], [...loanStatements])
      for (const [statement, tamper] of Object.entries(tamperings)) {
        assert.include(statementsOf(tamper(origination)), statement)
      }
    }).pipe(Effect.provide(layerMemoryByHand)))
})
