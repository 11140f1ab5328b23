import { assert, describe, it } from "@effect/vitest"
import { ScriptedLender, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Cause, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Job, jobAnswered } from "../../src/jobs/Job.ts"
import { pollContract, runContract } from "../../src/jobs/runContract.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { type Application } from "../../src/loan/Application.ts"
import { referenceOf } from "../../src/loan/Proposal.ts"
import { UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { auditEntriesOf, loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { runToEnd } from "./runs.ts"

/** A contract that awaits the customer's signature. */
const unsigned = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  const id = application.proposal?.proposal_id as ProposalId
  assert.deepStrictEqual(yield* runContract(id), { _tag: "WAIT", after_ms: 100 })
  return { application, id, job: { kind: "contract", id } satisfies Job }
})

/** Runs the job of a contract that the lender has confirmed. */
const poll = (id: ProposalId) => runContract(id, jobAnswered)

const statusOf = (application: Application) =>
  Effect.map(loadApplication(application), ({ proposal }) => proposal?.status)

/** The number of times the lender was polled. */
const polls = Effect.gen(function*() {
  return (yield* (yield* ScriptedLender).calls).filter(({ _tag }) => _tag === "Contract").length
})

describe("runContract", () => {
  it.effect("LENDER-03 polls a confirmed contract, records changes, and ends once the contract is final", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const [one, other] = [yield* unsigned, yield* unsigned]
      yield* TestClock.adjust("100 millis")
      yield* (yield* ScriptedLender).moveContract(one.id, "PAID")
      assert.deepStrictEqual(yield* poll(one.id), { _tag: "WAIT", after_ms: 600_000 })
      assert.deepStrictEqual(yield* poll(other.id), { _tag: "WAIT", after_ms: 100 })
      assert.strictEqual(yield* statusOf(one.application), "PAID")
      assert.strictEqual(yield* statusOf(other.application), "AWAITING_SIGNATURE")
      const actions = (yield* auditEntriesOf(one.application.application_id)).map(({ action }) => action)
      assert.deepStrictEqual(actions, ["application.submission", "application.contract", "application.contract"])
      assert.strictEqual((yield* auditEntriesOf(other.application.application_id)).length, 2)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* poll(one.id), { _tag: "WAIT", after_ms: 600_000 })
      assert.deepStrictEqual(yield* poll(other.id), { _tag: "WAIT", after_ms: 360_010 })
      assert.strictEqual(yield* polls, 4, "a paid contract is observed")
    })))

  it.effect("LENDER-03 the job of a contract goes on from the submission to its end", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
      const id = application.proposal?.proposal_id as ProposalId
      const work = yield* Effect.forkChild(runToEnd({ kind: "contract", id }))
      for (const status of ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "DISBURSEMENT_FAILED"] as const) {
        if (status !== "AWAITING_SIGNATURE") yield* scripted.moveContract(id, status)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* statusOf(application), status)
        assert.isUndefined(work.pollUnsafe())
      }
      yield* scripted.moveContract(id, "CANCELLED")
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(work)
      assert.strictEqual(yield* statusOf(application), "CANCELLED")
      assert.strictEqual((yield* scripted.calls).filter(({ _tag }) => _tag === "Submit").length, 1)
    })))

  it.effect("LENDER-03 PROP-03 polls a contract that is IN_ANALYSIS, does not submit it again, and records what follows", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      yield* scripted.setContractStatus("IN_ANALYSIS")
      const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
      const id = application.proposal?.proposal_id as ProposalId
      const work = yield* Effect.forkChild(runToEnd({ kind: "contract", id }))
      yield* TestClock.adjust("1 hour")
      const { proposal } = yield* loadApplication(application)
      assert.deepInclude(proposal, { status: "SUBMITTING" })
      assert.strictEqual(proposal && referenceOf(proposal), `scripted-${id}`)
      const before = yield* polls
      assert.isAbove(before, 10)
      // A job that is started again begins with the pending call, of which there is none.
      assert.strictEqual((yield* runContract(id))._tag, "WAIT")
      assert.strictEqual(yield* polls, before + 1)
      yield* scripted.moveContract(id, "PAID")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* statusOf(application), "PAID")
      assert.strictEqual((yield* scripted.calls).filter(({ _tag }) => _tag === "Submit").length, 1)
      yield* Fiber.interrupt(work)
    })))

  it.effect("LENDER-03 polls less often while nothing changes, and soon after a change", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id, job } = yield* unsigned
      const work = yield* Effect.forkChild(runToEnd(job))
      yield* TestClock.adjust("1 hour")
      const inAnHour = yield* polls
      assert.isAtLeast(inAnHour, 40)
      assert.isAtMost(inAnHour, 100)
      yield* (yield* ScriptedLender).moveContract(id, "GUARANTEE_PENDING")
      while ((yield* statusOf(application)) !== "GUARANTEE_PENDING") yield* TestClock.adjust("1 second")
      const recorded = yield* polls
      yield* TestClock.adjust("2 seconds")
      assert.isAtLeast((yield* polls) - recorded, 5)
      yield* Fiber.interrupt(work)
    })))

  it.effect("LENDER-03 an unavailable lender is polled again later, and nothing is lost", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const { application, id } = yield* unsigned
      yield* (yield* ScriptedLender).moveContract(id, "DISBURSING")
      const silent = { ...lender, contract: () => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "" })) }
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Effect.provideService(poll(id), Lender, silent), { _tag: "WAIT", after_ms: 200 })
      assert.strictEqual(yield* statusOf(application), "AWAITING_SIGNATURE")
      assert.deepStrictEqual(yield* poll(id), { _tag: "WAIT", after_ms: 100 })
      assert.strictEqual(yield* statusOf(application), "DISBURSING")
    })))

  it.effect("LENDER-05 a poll without an answer ends after 30 s, and the contract is polled again later", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const { application, id } = yield* unsigned
      const hanging = Lender.of({ ...lender, contract: () => Effect.uninterruptible(Effect.never) })
      const work = yield* Effect.forkChild(Effect.provideService(poll(id), Lender, hanging))
      yield* TestClock.adjust("29999 millis")
      assert.isUndefined(work.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(work))._tag, "WAIT")
      assert.strictEqual(yield* statusOf(application), "AWAITING_SIGNATURE")
    })))

  it.effect("LENDER-03 a defect of the lender's adapter fails the run, changes nothing, and the next run makes up for it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const { application, id } = yield* unsigned
      yield* (yield* ScriptedLender).moveContract(id, "DISBURSING")
      const defect = new Error("broken")
      const broken = Lender.of({ ...lender, contract: () => Effect.die(defect) })
      const failed = yield* Effect.flip(Effect.sandbox(Effect.provideService(poll(id), Lender, broken)))
      assert.strictEqual(Cause.squash(failed), defect)
      assert.strictEqual(yield* statusOf(application), "AWAITING_SIGNATURE")
      yield* poll(id)
      assert.strictEqual(yield* statusOf(application), "DISBURSING")
    })))

  it.effect("T46 concurrent runs record a change once", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* unsigned
      yield* (yield* ScriptedLender).moveContract(id, "DISBURSING")
      yield* TestClock.adjust("1 second")
      yield* Effect.all([poll(id), poll(id), poll(id)], { concurrency: "unbounded" })
      const { proposal, version } = yield* loadApplication(application)
      assert.strictEqual(version, application.version + 4)
      assert.deepStrictEqual(proposal?.status_history.map(({ status }) => status), [
        "SUBMITTING",
        "AWAITING_SIGNATURE",
        "GUARANTEE_PENDING",
        "DISBURSING"
      ])
    })))

  it.effect("LENDER-03 a failed payment is still polled: the lender may pay or cancel it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      for (
        const [to, expected] of [["PAID", "PAID"], ["CANCELLED", "CANCELLED"], ["DISBURSING", "DISBURSING"]] as const
      ) {
        const { application, id, job } = yield* unsigned
        const work = yield* Effect.forkChild(runToEnd(job))
        yield* scripted.moveContract(id, "DISBURSEMENT_FAILED")
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* statusOf(application), "DISBURSEMENT_FAILED")
        yield* scripted.moveContract(id, to)
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* statusOf(application), expected)
        yield* Fiber.interrupt(work)
      }
    })))

  it.effect("a poll without changes opens no transaction", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application } = yield* unsigned
      yield* TestClock.adjust("1 second")
      const broken = UnitOfWork.of({
        atomically: () => Effect.die(new Error("no transaction")),
        isOpen: Effect.succeed(false)
      })
      yield* Effect.provideService(pollContract(application.proposal!.proposal_id), UnitOfWork, broken)
      assert.strictEqual(yield* polls, 1)
    })))

  it.effect("a job of an unknown contract ends", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const id = "01890000-0000-7000-8000-000000000000" as ProposalId
      assert.deepStrictEqual(yield* runContract(id), { _tag: "DONE" })
      assert.deepStrictEqual(yield* poll(id), { _tag: "DONE" })
      assert.deepStrictEqual(yield* (yield* ScriptedLender).calls, [])
    })))
})
