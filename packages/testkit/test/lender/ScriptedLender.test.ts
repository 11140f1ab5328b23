import { assert, describe, it } from "@effect/vitest"
import { emptyKyc } from "@lastro/domain/kyc"
import { Lender, type LenderQuotation, type LenderQuoteRequest } from "@lastro/domain/lender"
import {
  type Application,
  type ContractSubmission,
  type DisbursementResubmission,
  latestQuote
} from "@lastro/domain/loan"
import { centavos } from "@lastro/domain/values"
import {
  anApplication,
  contractApplication,
  delayed,
  exampleInstant,
  held,
  layerScriptedLender,
  offeredFor,
  offering,
  refusing,
  ScriptedLender,
  silent
} from "@lastro/testkit"
import { Effect, Fiber, Latch, Option, Result } from "effect"
import { TestClock } from "effect/testing"

const lending = Effect.provide(layerScriptedLender, { local: true })

const opening = anApplication()

const requestFor = (application: Application): LenderQuoteRequest => {
  const { application_id, customer, partner_id, quotes: [{ number, quote_id }] } = application
  const offered = offeredFor(application)
  return {
    ...offered,
    application_id,
    partner_id,
    customer,
    quote_id,
    number,
    attempt: 1,
    requested_at: exampleInstant,
    lender_state: null
  }
}

const submissionOf = (application: Application): ContractSubmission => {
  const { application_id, customer, kyc, proposal } = application
  const [offer] = latestQuote(application).offers
  if (proposal === null || offer === undefined) throw new Error("No offer was accepted.")
  const { acceptance, created_at: accepted_at, disbursement, proposal_id } = proposal
  return {
    application_id,
    customer,
    kyc: kyc ?? emptyKyc,
    accepted_at,
    acceptance,
    disbursement,
    proposal_id,
    offer,
    origin: null
  }
}

const netsOf = (quotation: LenderQuotation) =>
  quotation.kind === "PRICED" ? quotation.offers.map(({ terms }) => terms.net_amount as number) : quotation.kind

describe("ScriptedLender", () => {
  it.effect("answers quotes as scripted, in order, and repeats the last answer", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const script = yield* ScriptedLender
      const request = requestFor(yield* opening)
      assert.lengthOf(netsOf(yield* lender.quote(request)), 2)
      yield* script.setQuoteAnswers(silent(), silent("WITHHELD"), refusing("NO_BALANCE"), offering(centavos(600_01)))
      const answers: Array<unknown> = []
      for (let call = 0; call < 5; call++) {
        const answer = yield* Effect.result(lender.quote(request))
        answers.push(Result.isSuccess(answer) ? netsOf(answer.success) : answer.failure.reason)
      }
      assert.deepStrictEqual(answers, ["ASKED", "WITHHELD", "REFUSED", [600_01], [600_01]])
      assert.deepStrictEqual(
        (yield* script.calls).map((call) => call._tag === "Quote" && call.request),
        Array.from({ length: 6 }, () => request)
      )
    }).pipe(lending))

  it.effect("delays and holds answers", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const script = yield* ScriptedLender
      const request = requestFor(yield* opening)
      const gate = Latch.makeUnsafe()
      const refusal = refusing("NO_BALANCE")
      yield* script.setQuoteAnswers(delayed("5 seconds", refusal), held(gate, refusal))
      const late = yield* Effect.forkChild(lender.quote(request))
      yield* TestClock.adjust("4999 millis")
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(late)).kind, "REFUSED")
      const waiting = yield* Effect.forkChild(lender.quote(request))
      yield* TestClock.adjust("1 hour")
      assert.isUndefined(waiting.pollUnsafe())
      yield* gate.open
      assert.strictEqual((yield* Fiber.join(waiting)).kind, "REFUSED")
    }).pipe(lending))

  it.effect("T47 makes one contract per proposal, whether its answer is lost or not, and none when it does not act", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const script = yield* ScriptedLender
      const submission = submissionOf(yield* contractApplication(yield* opening))
      const answers: Array<unknown> = []
      yield* script.setActions("undone", "lost", "done")
      for (let call = 0; call < 4; call++) {
        const answer = yield* Effect.result(lender.submit(submission))
        answers.push(Result.isSuccess(answer) ? answer.success.status : (yield* script.contracts).length)
      }
      assert.deepStrictEqual(answers, [0, 1, "AWAITING_SIGNATURE", "AWAITING_SIGNATURE"])
      assert.lengthOf(yield* script.contracts, 1)
      assert.strictEqual((yield* script.calls).filter(({ _tag }) => _tag === "Submit").length, 4)
    }).pipe(lending))

  it.effect("moves contracts as scripted and ignores unknown ones", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const script = yield* ScriptedLender
      const [one, other] = [yield* contractApplication(yield* opening), yield* contractApplication(yield* opening)].map(
        submissionOf
      )
      if (one === undefined || other === undefined) throw new Error("No offer was accepted.")
      const { reference } = yield* lender.submit(one)
      yield* script.moveContract(one.proposal_id, "DISBURSEMENT_FAILED")
      yield* script.moveContract(other.proposal_id, "PAID")
      const failed = yield* lender.contract(reference)
      assert.deepStrictEqual([failed.status, failed.rejection?.code], ["DISBURSEMENT_FAILED", "DISBURSEMENT_FAILED"])
      yield* script.setContractStatus("PAID")
      assert.strictEqual((yield* lender.submit(other)).status, "PAID")
      assert.isTrue(Option.isNone(yield* Effect.option(lender.contract("unknown"))))
    }).pipe(lending))

  it.effect("pays once per attempt, to the current account", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const script = yield* ScriptedLender
      const submission = submissionOf(yield* contractApplication(yield* opening))
      const { reference } = yield* lender.submit(submission)
      const resubmission: DisbursementResubmission = {
        proposal_id: submission.proposal_id,
        reference,
        disbursement: submission.disbursement,
        disbursement_attempt: 2,
        requested_at: exampleInstant
      }
      yield* script.moveContract(submission.proposal_id, "DISBURSEMENT_FAILED")
      for (const _ of [1, 2]) {
        const paid = yield* lender.resubmit(resubmission)
        assert.deepStrictEqual([paid.status, paid.disbursement_attempt, paid.rejection], ["DISBURSING", 2, null])
      }
      const [contract] = yield* script.contracts
      assert.deepStrictEqual(contract?.payments, [submission.disbursement, submission.disbursement])
    }).pipe(lending))

  it.effect("offers have exactly the scripted net amounts, or the call dies", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const script = yield* ScriptedLender
      const application = yield* opening
      yield* script.setQuoteAnswers(
        offering(centavos(10_00), centavos(999_99), centavos(1_400_01)),
        offering(centavos(9_999_99))
      )
      assert.deepStrictEqual(netsOf(yield* lender.quote(requestFor(application))), [10_00, 999_99, 1_400_01])
      assert.strictEqual((yield* Effect.exit(lender.quote(requestFor(application))))._tag, "Failure")
    }).pipe(lending))
})
