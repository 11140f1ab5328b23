import { assert, describe, it } from "@effect/vitest"
import { saveApplication, ScriptedLender, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { type JobProgress, jobStarted } from "../../src/jobs/Job.ts"
import { submitContract } from "../../src/jobs/runContract.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { type Application } from "../../src/loan/Application.ts"
import { decide } from "../../src/loan/decide.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { ApplicationRepository } from "../../src/origination/ApplicationRepository.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { cancel, storedProposal } from "../loan/examples.ts"

/** A contract that has not been submitted to the lender. */
const accepted = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  if (application.proposal === null) throw new Error("the application has no proposal")
  return { application, id: application.proposal.proposal_id }
})

const statusOf = (application: Application) =>
  Effect.map(loadApplication(application), ({ proposal }) => proposal?.status)

/** Requests the cancellation of the stored application, as a caller does. */
const requestCancellation = Effect.fnUntraced(function*(application: Application) {
  const before = yield* loadApplication(application)
  const events = Result.getOrThrow(decide(cancel(before.updated_at, null), before))
  return yield* saveApplication(before, events.reduce(evolve, before))
})

/** Cancels the stored application for good, as if the lender had no contract. */
const endCancelled = Effect.fnUntraced(function*(application: Application) {
  const before = yield* requestCancellation(application)
  const events = Result.getOrThrow(decide({ _tag: "RecordNoContract", at: before.updated_at }, before))
  return yield* saveApplication(before, events.reduce(evolve, before))
})

const cancelled = Effect.map(
  Effect.flatMap(ScriptedLender, (scripted) => scripted.calls),
  (calls) => calls.flatMap((call) => call._tag === "Cancel" ? [call.cancellation] : [])
)

/** Submits a contract whose cancellation is recorded while the call is in progress. */
const submitWhile = (
  id: ProposalId,
  meanwhile: Effect.Effect<unknown, never, ApplicationRepository>,
  reference?: string
) =>
  Effect.gen(function*() {
    const lender = yield* Lender
    const change = Effect.provideService(meanwhile, ApplicationRepository, yield* ApplicationRepository)
    const slow = Lender.of({
      ...lender,
      submit: (submission) =>
        lender.submit(submission).pipe(
          Effect.map((made) => reference === undefined ? made : { ...made, reference }),
          Effect.tap(() => change)
        )
    })
    return yield* Effect.provideService(runJob({ kind: "contract", id }, jobStarted), Lender, slow)
  })

const progressOf = (outcome: { readonly _tag: string; readonly progress?: JobProgress }): JobProgress => {
  if (outcome.progress === undefined) throw new Error(`the outcome is ${outcome._tag}`)
  return outcome.progress
}

describe("contracts of cancelled proposals", () => {
  it.effect("FGTS-53 a contract that the lender created is cancelled, and that is repeated until it is confirmed", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const scripted = yield* ScriptedLender
      const outcome = yield* submitWhile(id, endCancelled(application))
      assert.strictEqual(yield* statusOf(application), "CANCELLED")
      yield* scripted.setActions("undone", "undone", "done")
      let progress = progressOf(outcome)
      for (let run = 0; run < 2; run++) progress = progressOf(yield* runJob({ kind: "contract", id }, progress))
      assert.deepStrictEqual((yield* scripted.contracts).map(({ contract }) => contract.status), ["AWAITING_SIGNATURE"])
      assert.deepStrictEqual(yield* runJob({ kind: "contract", id }, progress), { _tag: "DONE" })
      assert.deepStrictEqual((yield* scripted.contracts).map(({ contract }) => contract.status), ["CANCELLED"])
      assert.lengthOf(yield* cancelled, 3)
    })))

  it.effect("FGTS-53 a live contract is cancelled also if the cancelled proposal itself has its reference", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const reference = `scripted-${id}`
      const recordAndCancel = Effect.gen(function*() {
        const before = yield* loadApplication(application)
        const contract = {
          reference,
          status: "AWAITING_SIGNATURE",
          signature_url: null,
          rejection: null,
          disbursement_attempt: 1
        } as const
        const events = Result.getOrThrow(decide({ _tag: "RecordContract", at: before.updated_at, contract }, before))
        yield* saveApplication(before, events.reduce(evolve, before))
        yield* endCancelled(application)
      })
      const outcome = yield* submitWhile(id, recordAndCancel)
      assert.strictEqual(storedProposal(yield* loadApplication(application))?.reference, reference)
      assert.deepStrictEqual(progressOf(outcome), { ...jobStarted, unwanted_reference: reference })
    })))

  it.effect("FGTS-53 T41 the contract of another proposal is never cancelled", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const first = yield* accepted
      const second = yield* accepted
      yield* submitContract(first.id)
      const reference = storedProposal(yield* loadApplication(first.application))?.reference ?? ""
      for (const meanwhile of [requestCancellation, endCancelled]) {
        const { application, id } = meanwhile === requestCancellation ? second : yield* accepted
        const outcome = yield* submitWhile(id, meanwhile(application), reference)
        assert.deepStrictEqual(outcome, { _tag: "DONE" })
        assert.strictEqual(yield* statusOf(application), "CANCELLED")
      }
      assert.lengthOf(yield* cancelled, 0)
      assert.strictEqual(yield* statusOf(first.application), "AWAITING_SIGNATURE")
    })))

  it.effect("FGTS-31 a cancellation is requested again while the lender still has a live contract", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      yield* submitContract(id)
      yield* requestCancellation(application)
      const lender = yield* Lender
      const busy = Lender.of({
        ...lender,
        cancel: ({ reference }) => lender.contract(reference ?? "")
      })
      const outcome = yield* Effect.provideService(runJob({ kind: "contract", id }, jobStarted), Lender, busy)
      assert.strictEqual(yield* statusOf(application), "CANCELLING")
      const polled = yield* runJob({ kind: "contract", id }, progressOf(outcome))
      assert.deepStrictEqual(polled, { _tag: "RETRY", after_ms: 0, progress: { attempt: 2, pauses: 1 } })
      assert.deepStrictEqual(yield* runJob({ kind: "contract", id }, progressOf(polled)), { _tag: "DONE" })
      assert.strictEqual(yield* statusOf(application), "CANCELLED")
      assert.lengthOf(yield* cancelled, 1)
    })))
})
