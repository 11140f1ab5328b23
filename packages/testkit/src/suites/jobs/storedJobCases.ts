import { type Job, type JobPorts, type StoredJob, StoredJobs } from "@lastro/domain/jobs"
import { latestQuote } from "@lastro/domain/loan"
import { cancelJob, retryJob } from "@lastro/domain/operator"
import { DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp, millisOf, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Latch, Option, Result } from "effect"
import { storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { held, pending, silent } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { requireContracted } from "../suite/storedRecords.ts"
import {
  awaitRequests,
  awaitState,
  type DurableWorkPorts,
  inAnHour,
  isAnswered,
  offerAnswer,
  requestsOf,
  runOtherJob,
  startQuote,
  storePending
} from "./observedWork.ts"

/** Polls a stored job until a condition holds. If it never holds, the case times out. */
const awaitJob = (job: Job, condition: (stored: StoredJob | null) => boolean) =>
  Effect.gen(function*() {
    const jobs = yield* StoredJobs
    for (;;) {
      const stored = Option.getOrNull(yield* jobs.find(job))
      if (condition(stored)) return stored
      yield* Effect.sleep("10 millis")
    }
  })

const hasEnded = (stored: StoredJob | null): boolean => stored === null

/** Stores an application whose quote is pending, and starts its job. Returns both. */
const startPending = Effect.gen(function*() {
  const partner = yield* storeRootPartner()
  const application = yield* storePending(partner)
  yield* (yield* UnitOfWork).atomically(startQuote(application))
  const job: Job = { kind: "quote", id: latestQuote(application).quote_id }
  return { application, job, partner, name: `quote/${job.id}` }
})

/** Contract cases for StoredJobs, and for the operator's use cases of jobs. Requires the scripted lender. */
export const storedJobCases: ContractCases<DurableWorkPorts | JobPorts | StoredJobs> = (it) => {
  it("`find` returns a running job, then a waiting one with its last error, and nothing after its end", function*() {
    const lender = yield* ScriptedLender
    const gate = Latch.makeUnsafe()
    yield* lender.setQuoteAnswers((request) => Effect.andThen(gate.await, silent("WITHHELD")(request)))
    const before = millisOf(yield* currentTimestamp)
    const { job, name } = yield* startPending
    const running = yield* awaitJob(job, (stored) => stored?.state === "RUNNING")
    assert.strictEqual(`${running?.kind}/${running?.id}`, name)
    assert.deepStrictEqual([running?.attempt, running?.failures, running?.last_error], [1, 0, null])
    assert.closeTo(millisOf(running?.created_at ?? timestampOf(0)), before, 60_000)
    yield* gate.open
    const waiting = yield* awaitJob(job, (stored) => stored?.last_error !== null)
    assert.strictEqual(waiting?.last_error, "WITHHELD: scripted")
    assert.deepStrictEqual([waiting?.attempt, waiting?.failures], [1, 0])
    yield* lender.setQuoteAnswers(offerAnswer)
    yield* awaitJob(job, hasEnded)
  })

  it("`list` returns the stored jobs, the longest due first, up to the limit", function*() {
    const jobs = yield* StoredJobs
    const look_at = yield* inAnHour
    yield* (yield* ScriptedLender).setQuoteAnswers(pending("state", { look_at }))
    const started = [yield* startPending, yield* startPending]
    for (const { job } of started) {
      const stored = yield* awaitJob(job, (stored) => stored?.state === "WAITING")
      assert.closeTo(millisOf(stored?.due_at ?? look_at), millisOf(look_at), 60_000)
    }
    const all = yield* jobs.list(10_000)
    const ids = all.map(({ id }) => id)
    assert.includeMembers(ids, started.map(({ job }): string => job.id))
    const times = all.map(({ due_at }) => due_at)
    assert.deepStrictEqual(times, times.toSorted())
    assert.deepStrictEqual((yield* jobs.list(1)).length, 1)
    for (const { name } of started) yield* cancelJob(name)
  })

  it("`end` removes a job in the surrounding transaction, and a run in progress then records nothing with the job", function*() {
    const jobs = yield* StoredJobs
    const unit = yield* UnitOfWork
    const gate = Latch.makeUnsafe()
    yield* (yield* ScriptedLender).setQuoteAnswers(
      held(gate, pending("state", { look_at: yield* inAnHour })),
      offerAnswer
    )
    const { application, job, partner } = yield* startPending
    yield* awaitRequests(application, 1)
    yield* Effect.exit(unit.atomically(Effect.andThen(jobs.end(job), Effect.die("rollback"))))
    assert.isTrue(Option.isSome(yield* jobs.find(job)))
    yield* jobs.end(job)
    yield* gate.open
    yield* runOtherJob(partner)
    assert.isTrue(Option.isNone(yield* jobs.find(job)))
    assert.isFalse(isAnswered(yield* awaitState(application, () => true)))
    yield* unit.atomically(startQuote(application))
    yield* awaitState(application, isAnswered)
  })

  it("`find` returns nothing for an unknown id or an unknown kind, and `end` ignores them", function*() {
    const jobs = yield* StoredJobs
    const { proposal } = requireContracted(yield* storeContractedApplication(yield* storeRootPartner()))
    for (const kind of ["quote", "contract", "unknown"]) {
      const key = { kind, id: proposal.proposal_id }
      assert.isTrue(Option.isNone(yield* jobs.find(key)))
      yield* jobs.end(key)
    }
  })

  it("the operator's retry makes a waiting job due at once, and keeps its progress", function*() {
    yield* (yield* ScriptedLender).setQuoteAnswers(pending("kept", { look_at: yield* inAnHour }), offerAnswer)
    const { application, job, name } = yield* startPending
    yield* awaitJob(job, (stored) => stored?.state === "WAITING")
    yield* retryJob(name)
    yield* awaitState(application, isAnswered)
    assert.deepStrictEqual((yield* requestsOf(application)).map(({ lender_state }) => lender_state), [null, "kept"])
    yield* awaitJob(job, hasEnded)
  })

  it("JOB-07 the operator cancels a job of a quote during its run: the quote is FAILED, and the late result is ignored", function*() {
    const gate = Latch.makeUnsafe()
    yield* (yield* ScriptedLender).setQuoteAnswers(held(gate, offerAnswer), offerAnswer)
    const { application, job, name, partner } = yield* startPending
    yield* awaitRequests(application, 1)
    yield* cancelJob(name)
    assert.isTrue(Option.isNone(yield* (yield* StoredJobs).find(job)))
    yield* gate.open
    yield* runOtherJob(partner)
    const quote = latestQuote(yield* awaitState(application, isAnswered))
    assert.deepStrictEqual([quote.outcome, quote.rejection?.code], ["FAILED", "UPSTREAM_UNAVAILABLE"])
  })

  it("JOB-07 the operator cannot cancel the job of a contract that the lender may have, and the job continues", function*() {
    const lender = yield* ScriptedLender
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    const { proposal_id } = requireContracted(contract).proposal
    yield* lender.setActions("undone")
    yield* (yield* UnitOfWork).atomically((yield* DurableWork).startContract(proposal_id))
    yield* awaitState(contract, ({ proposal }) => proposal?.asked_at !== null)
    const refused = yield* Effect.result(cancelJob(`contract/${proposal_id}`))
    assert.deepInclude(Result.isFailure(refused) ? refused.failure : {}, {
      _tag: "JobNotCancellable",
      reason: "LENDER_MAY_HAVE_CONTRACT"
    })
    yield* lender.setActions("done")
    yield* awaitState(contract, ({ proposal }) => proposal?.reference !== null)
  })
}
