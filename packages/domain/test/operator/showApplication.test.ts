import { assert, describe, it } from "@effect/vitest"
import {
  recordContractStatus,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeRootPartner
} from "@lastro/testkit"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Application } from "../../src/loan/Application.ts"
import { showApplication } from "../../src/operator/showApplication.ts"
import { applicationHistory } from "../../src/origination/applicationHistory.ts"
import { DurableWork } from "../../src/origination/DurableWork.ts"
import { auditEntriesOf, expectRefusal, runInMemory } from "../fixtures.ts"
import { histories, playHistory, startTimes } from "../loan/randomHistories.ts"

describe("showApplication", () => {
  it.effect("masks personal data, unless it is requested, which leaves an audit entry", () =>
    runInMemory(Effect.gen(function*() {
      const accepted = yield* storeContractedApplication(yield* storeRootPartner())
      const application = yield* saveApplication(accepted, recordContractStatus(accepted, "AWAITING_SIGNATURE"))
      const { application_id, customer: { cpf, name = "" }, kyc } = application
      const masked = yield* showApplication(application_id)
      const text = JSON.stringify(masked)
      for (const secret of [cpf, name, kyc?.name, kyc?.phone, kyc?.pix?.key]) {
        if (secret !== null && secret !== undefined && secret !== "") assert.notInclude(text, secret)
      }
      assert.deepStrictEqual(yield* auditEntriesOf(application_id), [])
      assert.deepStrictEqual(masked.history.map(({ event }) => event), [
        "APPLICATION_CREATED",
        "QUOTE_REQUESTED",
        "QUOTE_COMPLETED",
        "OFFER_ACCEPTED",
        "PROPOSAL_SUBMITTING",
        "PROPOSAL_AWAITING_SIGNATURE"
      ])
      const full = yield* showApplication(application_id, { personal_data: true })
      assert.include(JSON.stringify(full.customer), cpf)
      const [entry, ...others] = yield* auditEntriesOf(application_id)
      assert.deepInclude(entry, { action: "application.read_personal_data", actor: "operator" })
      assert.isEmpty(others)
      for (const id of ["", "x", application.partner_id]) yield* expectRefusal(showApplication(id), "NotFound")
    })))

  it.effect("lists the job of a pending quote", () =>
    runInMemory(Effect.gen(function*() {
      const { application_id, quotes } = yield* storeApplication(yield* storeRootPartner())
      const quote_id = quotes[0].quote_id
      yield* (yield* DurableWork).startQuote(quote_id)
      const { jobs } = yield* showApplication(application_id)
      assert.deepStrictEqual(jobs.map(({ id, kind }) => ({ id, kind })), [{ kind: "quote", id: quote_id }])
    })))

  it.effect("lists the jobs of the lenders of a quote, the job of its waiting time, and the job of the contract", () =>
    runInMemory(Effect.gen(function*() {
      const { proposal, quotes: [quote], ...application } = yield* storeContractedApplication(yield* storeRootPartner())
      const lender = { code: "first", label: "First" }
      const part = { lender, outcome: "PENDING", rejection: null, asked_at: null, completed_at: null } as const
      const after: Application = {
        ...application,
        quotes: [{ ...quote, parts: [part], routing: { strategy: "ALL", patience_ms: 0 } }],
        proposal: proposal === null ? null : { ...proposal, lender }
      }
      yield* saveApplication(after, after)
      const { startContract, startPatience, startQuote } = yield* DurableWork
      yield* startQuote(quote.quote_id, lender.code)
      yield* startPatience(quote.quote_id)
      if (proposal !== null) yield* startContract(proposal.proposal_id, lender.code)
      const { jobs } = yield* showApplication(after.application_id)
      assert.deepStrictEqual(jobs.map(({ kind }) => kind), ["quote:first", "patience", "contract:first"])
    })))

  it("FGTS-56 the history of an application is in the order of its times, and has every quote and status", () => {
    fc.assert(
      fc.property(fc.tuple(startTimes, histories), ([begins, history]) => {
        for (const { after } of playHistory(begins, history)) {
          const entries = applicationHistory(after)
          const times = entries.map(({ at }) => at)
          assert.deepStrictEqual(times, times.toSorted())
          const events = entries.map(({ event }) => event)
          assert.strictEqual(events.filter((event) => event === "QUOTE_REQUESTED").length, after.quotes.length)
          const statuses = after.proposal?.status_history.map(({ status }) => `PROPOSAL_${status}`) ?? []
          assert.deepStrictEqual(events.filter((event) => event.startsWith("PROPOSAL_")), statuses)
        }
      }),
      { numRuns: 50 }
    )
  })
})
