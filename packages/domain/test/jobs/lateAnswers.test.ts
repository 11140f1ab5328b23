import { assert, describe, it } from "@effect/vitest"
import {
  saveApplication,
  ScriptedLender,
  storeContractedApplication,
  storeRootPartner,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { type JobProgress, jobStarted } from "../../src/jobs/Job.ts"
import { pollContract, submitContract } from "../../src/jobs/runContract.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { ExitRefused, SubmissionInvalid } from "../../src/lender/LenderFailures.ts"
import { type Application } from "../../src/loan/Application.ts"
import { type LenderRefund } from "../../src/loan/LenderContract.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { applyCommands, cancel, renewLink, storedProposal, withdraw } from "../loan/examples.ts"

/** Stores an accepted application whose contract is not submitted. `proposal` reads its present proposal. */
const setUp = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  return {
    scripted: yield* ScriptedLender,
    application,
    id: application.proposal?.proposal_id as ProposalId,
    proposal: Effect.map(loadApplication(application), ({ proposal }) => proposal),
    withdrawal: Effect.map(loadApplication(application), (present) => storedProposal(present)?.withdrawal)
  }
})

/** The contract is paid, and the stored application shows it. */
const pay = Effect.fnUntraced(function*(id: ProposalId) {
  yield* (yield* ScriptedLender).moveContract(id, "PAID")
  yield* pollContract(id)
})

/** Runs the job of a contract with a lender that answers late. Continue with `answer`, which waits until the run has ended. */
const runLate = Effect.fnUntraced(function*(
  id: ProposalId,
  late: (lender: Lender["Service"], until: Effect.Effect<void>) => Partial<Lender["Service"]>,
  progress: JobProgress = jobStarted
) {
  const lender = yield* Lender
  const latch = yield* Latch.make(false)
  const run = runJob({ kind: "contract", id }, progress).pipe(
    Effect.provideService(Lender, Lender.of({ ...lender, ...late(lender, Effect.asVoid(latch.await)) }))
  )
  const fiber = yield* Effect.forkChild(run, { startImmediately: true })
  return { answer: Effect.andThen(latch.open, Fiber.join(fiber)) }
})

/** Applies a command now, one second after the last change. */
const apply = Effect.fnUntraced(
  function*(application: Application, command: typeof cancel | typeof renewLink | typeof withdraw) {
    yield* TestClock.adjust("1 second")
    const present = yield* loadApplication(application)
    return yield* saveApplication(present, applyCommands(present, command(yield* currentTimestamp)))
  }
)

describe("a run that ends after another run of the same job", () => {
  it.effect("FGTS-34 T46 does not record the refusal of data that was corrected: a contract is cancelled, not forgotten", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal, scripted } = yield* setUp
      const fields = [{ field: "phone", code: "INVALID" }]
      const { answer } = yield* runLate(id, (_, until) => ({
        submit: () => Effect.andThen(until, Effect.fail(new SubmissionInvalid({ fields, message: null })))
      }))
      yield* scripted.setActions({ invalid: fields }, "lost")
      yield* submitContract(id)
      const refused = yield* loadApplication(application)
      assert.strictEqual(refused.proposal?.status, "CORRECTION_NEEDED")
      yield* TestClock.adjust("1 second")
      yield* saveApplication(refused, submitExampleKyc(refused, { at: yield* currentTimestamp }))
      // The lender has the contract, but its answer is lost.
      yield* runJob({ kind: "contract", id }, jobStarted)
      assert.lengthOf(yield* scripted.contracts, 1)

      yield* answer
      assert.strictEqual((yield* proposal)?.status, "SUBMITTING")
      yield* apply(application, cancel)
      assert.strictEqual((yield* proposal)?.status, "CANCELLING")
      yield* scripted.setActions("done")
      yield* submitContract(id)
      assert.strictEqual((yield* proposal)?.status, "CANCELLED")
      assert.deepStrictEqual((yield* scripted.contracts).map(({ contract }) => contract.status), ["CANCELLED"])
    })))

  it.effect("FGTS-36 T46 does not undo a cancellation when the lender refuses a link that was requested before it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal, scripted } = yield* setUp
      yield* submitContract(id)
      assert.strictEqual((yield* proposal)?.status, "AWAITING_SIGNATURE")
      yield* apply(application, renewLink)
      const { answer } = yield* runLate(id, (_, until) => ({
        signatureLink: () => Effect.andThen(until, Effect.fail(new ExitRefused({ detail: "no new links" })))
      }))
      yield* apply(application, cancel)

      yield* answer
      assert.strictEqual((yield* proposal)?.status, "CANCELLING")
      yield* submitContract(id)
      assert.strictEqual((yield* proposal)?.status, "CANCELLED")
      assert.deepStrictEqual((yield* scripted.contracts).map(({ contract }) => contract.status), ["CANCELLED"])
    })))

  it.effect("FGTS-19 T46 does not answer a later withdrawal: each withdrawal is one refund", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal, scripted, withdrawal } = yield* setUp
      yield* submitContract(id)
      yield* pay(id)
      yield* apply(application, withdraw)
      const { answer } = yield* runLate(id, (lender, until) => ({
        refund: (request) => Effect.andThen(until, lender.refund(request))
      }))
      yield* submitContract(id)
      yield* pay(id)
      assert.strictEqual((yield* proposal)?.status_history.at(-1)?.reason, "REFUND_NOT_PAID")
      const again = yield* apply(application, withdraw)

      yield* answer
      assert.deepStrictEqual(yield* withdrawal, storedProposal(again)?.withdrawal)
      assert.strictEqual((yield* proposal)?.status, "REFUND_PENDING")
      yield* submitContract(id)
      assert.isTrue((yield* withdrawal)?.is_confirmed)
      assert.deepStrictEqual((yield* scripted.contracts).map(({ refunds = [] }) => refunds.length), [2])
    })))

  it.effect("FGTS-19 T46 does not end a refund with the payment before it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal, scripted, withdrawal } = yield* setUp
      yield* submitContract(id)
      yield* scripted.moveContract(id, "PAID")
      const { answer } = yield* runLate(id, (lender, until) => ({
        contract: (reference) => Effect.tap(lender.contract(reference), () => until)
      }))
      yield* pollContract(id)
      yield* apply(application, withdraw)
      yield* submitContract(id)
      assert.isTrue((yield* withdrawal)?.is_confirmed)

      yield* answer
      assert.strictEqual((yield* proposal)?.status, "REFUND_PENDING")
      assert.isTrue((yield* withdrawal)?.is_confirmed)
      yield* pay(id)
      assert.strictEqual((yield* proposal)?.status_history.at(-1)?.reason, "REFUND_NOT_PAID")
    })))

  it.effect("FGTS-19 T46 does not end a refund that was confirmed after its call", () =>
    runWithoutWorkers(Effect.gen(function*() {
      for (const operation of ["contract", "refund"] as const) {
        const { application, id, proposal, withdrawal } = yield* setUp
        yield* submitContract(id)
        yield* pay(id)
        yield* apply(application, withdraw)
        // The lender has not processed the request for the refund yet.
        const { answer } = yield* runLate(id, (lender, until) => {
          const late = (reference: string) => Effect.tap(lender.contract(reference), () => until)
          return { contract: late, refund: ({ reference }) => late(reference) }
        }, { ...jobStarted, is_poll_next: operation === "contract" })
        yield* submitContract(id)
        const confirmed = yield* proposal
        assert.isTrue((yield* withdrawal)?.is_confirmed)

        yield* answer
        assert.deepStrictEqual(yield* proposal, confirmed)
      }
    })))

  it.effect("FGTS-19 T46 does not end a refund with the end of an earlier one", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal, scripted, withdrawal } = yield* setUp
      yield* submitContract(id)
      yield* pay(id)
      yield* apply(application, withdraw)
      yield* submitContract(id)
      yield* scripted.moveContract(id, "PAID")
      const { answer } = yield* runLate(id, (lender, until) => ({
        contract: (reference) => Effect.tap(lender.contract(reference), () => until)
      }))
      yield* pollContract(id)
      assert.strictEqual((yield* proposal)?.status_history.at(-1)?.reason, "REFUND_NOT_PAID")
      yield* apply(application, withdraw)
      yield* submitContract(id)
      const confirmed = yield* proposal
      assert.isTrue((yield* withdrawal)?.is_confirmed)

      yield* answer
      assert.deepStrictEqual(yield* proposal, confirmed)
    })))

  it.effect("FGTS-19 T46 does not start or confirm a refund with the facts of an earlier one", () =>
    runWithoutWorkers(Effect.gen(function*() {
      for (const isWithdrawnAgain of [false, true]) {
        const { application, id, proposal, scripted, withdrawal } = yield* setUp
        yield* submitContract(id)
        yield* pay(id)
        // The lender reverses the payment, and then no longer does.
        yield* scripted.moveContract(id, "REFUND_PENDING")
        const { answer } = yield* runLate(id, (lender, until) => ({
          contract: (reference) => Effect.tap(lender.contract(reference), () => until)
        }))
        yield* pollContract(id)
        yield* pay(id)
        if (isWithdrawnAgain) yield* apply(application, withdraw)
        const present = yield* proposal

        yield* answer
        assert.deepStrictEqual(yield* proposal, present)
        if (!isWithdrawnAgain) continue
        yield* submitContract(id)
        assert.isTrue((yield* withdrawal)?.is_confirmed)
      }
    })))
})

describe("an answer that does not state the result of its request", () => {
  it.effect("PROP-12 a refund that is answered with an earlier status is requested again", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal, scripted, withdrawal } = yield* setUp
      yield* submitContract(id)
      yield* pay(id)
      yield* apply(application, withdraw)
      const lender = yield* Lender
      for (const status of ["DISBURSING", "DISBURSEMENT_FAILED", "AWAITING_SIGNATURE", "IN_ANALYSIS"] as const) {
        const stale = {
          ...lender,
          refund: ({ reference }: LenderRefund) =>
            lender.contract(reference).pipe(
              Effect.map((contract) => ({ ...contract, status }))
            )
        }
        const outcome = yield* Effect.provideService(runJob({ kind: "contract", id }, jobStarted), Lender, stale)
        assert.deepInclude(outcome, { _tag: "RETRY", progress: { attempt: 2, pauses: 1, is_poll_next: true } })
        assert.isFalse((yield* withdrawal)?.is_confirmed)
      }
      yield* submitContract(id)
      assert.strictEqual((yield* proposal)?.status, "REFUND_PENDING")
      assert.isTrue((yield* withdrawal)?.is_confirmed)
      assert.deepStrictEqual((yield* scripted.contracts).map(({ refunds = [] }) => refunds.length), [1])
    })))

  it.effect("PROP-12 a signature link that is answered with an earlier status is requested again", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, proposal } = yield* setUp
      yield* submitContract(id)
      yield* apply(application, renewLink)
      const lender = yield* Lender
      const stale = {
        ...lender,
        signatureLink: (reference: string) =>
          lender.contract(reference).pipe(
            Effect.map((contract) => ({ ...contract, status: "IN_ANALYSIS" as const, signature_url: null }))
          )
      }
      const outcome = yield* Effect.provideService(runJob({ kind: "contract", id }, jobStarted), Lender, stale)
      assert.strictEqual(outcome._tag, "RETRY")
      yield* submitContract(id)
      assert.deepInclude(yield* proposal, { status: "AWAITING_SIGNATURE" as const, link_requested_at: null })
    })))
})
