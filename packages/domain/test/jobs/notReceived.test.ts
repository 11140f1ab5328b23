import { assert, describe, it } from "@effect/vitest"
import { saveApplication, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { type Duration, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { type Job, jobDone, jobStarted } from "../../src/jobs/Job.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { decide } from "../../src/loan/decide.ts"
import { noExits } from "../../src/loan/LenderContract.ts"
import { ApplicationRepository } from "../../src/origination/ApplicationRepository.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { auditEntriesOf, loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { applyCommands, cancel, startSubmission } from "../loan/examples.ts"

const jobOf = (id: ProposalId): Job => ({ kind: "contract", id })

/** A contract that has not been submitted to the lender. */
const accepted = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  return { application, id: application.proposal?.proposal_id as ProposalId }
})

const failing = (reason: LenderUnavailable["reason"], duration: Duration.Input = 0) =>
  Effect.map(Lender, (lender) =>
    Lender.of({
      ...lender,
      exits: Effect.succeed(noExits),
      submit: () => Effect.andThen(Effect.sleep(duration), Effect.fail(new LenderUnavailable({ reason, detail: "" })))
    }))

/** Submits a contract to a lender that fails for these reasons in turn, and then cancels the application. */
const cancelAfter = Effect.fnUntraced(
  function*(reasons: ReadonlyArray<LenderUnavailable["reason"]>, duration: Duration.Input = 0) {
    const { application, id } = yield* accepted
    for (const reason of reasons) {
      const run = Effect.provideService(runJob(jobOf(id), jobStarted), Lender, yield* failing(reason, duration))
      const running = yield* Effect.forkChild(run)
      yield* TestClock.adjust(duration)
      yield* Fiber.join(running)
    }
    const audited = (yield* auditEntriesOf(application.application_id)).length
    const { proposal, updated_at, version } = yield* loadApplication(application)
    assert.strictEqual(updated_at, application.updated_at)
    assert.strictEqual(version - application.version, proposal?.invisible_events)
    assert.strictEqual(audited, 1, "the repetitions leave no audit entries")
    return decide(
      { _tag: "CancelApplication", at: yield* currentTimestamp, reason: "OTHER", exits: noExits },
      yield* loadApplication(application)
    )
  }
)

const notReceived = ["FORBIDDEN", "UNREACHED", "WITHHELD"] as const

describe("a submission that the lender did not receive", () => {
  for (const reason of notReceived) {
    it.effect(`PROP-18 FGTS-30 a proposal that the lender never received is cancelled at once: ${reason}`, () =>
      runWithoutWorkers(Effect.gen(function*() {
        const decided = yield* cancelAfter([reason, ...notReceived])
        assert.deepStrictEqual(
          Result.isSuccess(decided) ? decided.success.map(({ _tag }) => _tag) : [],
          ["ContractCancelled"]
        )
      })))
  }

  for (
    const [title, reasons, duration] of [
      ["an earlier call may have reached the lender", ["ASKED", "UNREACHED"], 0],
      ["a later call may have reached the lender", ["UNREACHED", "ASKED"], 0],
      ["a proxy may have throttled a call that the lender received", ["THROTTLED"], 0],
      ["another worker may have repeated a slow call", ["FORBIDDEN"], "5 seconds"]
    ] as const
  ) {
    it.effect(`PROP-18 FGTS-30 the lender may have the contract: ${title}`, () =>
      runWithoutWorkers(Effect.gen(function*() {
        const decided = yield* cancelAfter(reasons, duration)
        assert.deepInclude(Result.isFailure(decided) ? decided.failure : {}, { reason: "LENDER_MAY_HAVE_CONTRACT" })
      })))
  }

  it.effect("PROP-18 a run does not take back the submission that another run has started after it read the proposal", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const applications = yield* ApplicationRepository
      const startByOther = Effect.provideService(
        Effect.gen(function*() {
          const present = yield* loadApplication(application)
          if (present.proposal?.submitted_at !== null) return
          yield* saveApplication(present, applyCommands(present, startSubmission(yield* currentTimestamp)))
        }),
        ApplicationRepository,
        applications
      )
      const late = ApplicationRepository.of({
        ...applications,
        findForUpdate: (scope, one) => Effect.andThen(startByOther, applications.findForUpdate(scope, one))
      })
      yield* runJob(jobOf(id), jobStarted).pipe(
        Effect.provideService(Lender, yield* failing("UNREACHED")),
        Effect.provideService(ApplicationRepository, late)
      )
      assert.isString((yield* loadApplication(application)).proposal?.submitted_at)
    })))

  it.effect("PROP-18 a cancellation that was requested during the call ends the proposal when the call does not arrive", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const lender = yield* Lender
      const applications = yield* ApplicationRepository
      const cancelled = Effect.provideService(
        Effect.gen(function*() {
          const present = yield* loadApplication(application)
          yield* saveApplication(present, applyCommands(present, cancel(yield* currentTimestamp)))
        }),
        ApplicationRepository,
        applications
      )
      const refusing = Lender.of({
        ...lender,
        submit: () => Effect.andThen(cancelled, Effect.fail(new LenderUnavailable({ reason: "UNREACHED", detail: "" })))
      })
      const outcome = yield* Effect.provideService(runJob(jobOf(id), jobStarted), Lender, refusing)
      assert.deepStrictEqual(outcome, jobDone)
      assert.strictEqual((yield* loadApplication(application)).proposal?.status, "CANCELLED")
    })))
})
