import { type Job, type JobPorts, type StoredJob, StoredJobs } from "@lastro/domain/jobs"
import { type Application, latestQuote, referenceOf } from "@lastro/domain/loan"
import { cancelJob, retryJob } from "@lastro/domain/operator"
import { type PartnerDetail } from "@lastro/domain/partner"
import { currentTimestamp, millisOf, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Latch, Option } from "effect"
import {
  storeApplication,
  storeChildPartner,
  storeContractedApplication,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { held, pending, type QuoteAnswer, silent } from "../../lender/quoteAnswers.ts"
import { type InTurn, ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { proposalIdOf } from "../suite/storedRecords.ts"
import { atomically, rollBack } from "../suite/transactions.ts"
import {
  awaitAnswer,
  awaitRequests,
  awaitState,
  type DurableWorkPorts,
  inAnHour,
  isAnswered,
  offerAnswer,
  runOtherJob,
  setQuoteAnswers,
  startContract,
  startPending,
  startQuote,
  statesOf
} from "./observedWork.ts"

/** Reads a stored job until a condition holds. The case times out if the condition never holds. */
const awaitJob = Effect.fnUntraced(function*(job: Job, condition: (stored: StoredJob | null) => boolean) {
  const jobs = yield* StoredJobs
  for (;;) {
    const stored = Option.getOrNull(yield* jobs.find(job))
    if (condition(stored)) return stored
    yield* Effect.sleep("10 millis")
  }
})

const hasEnded = (stored: StoredJob | null): boolean => stored === null

const quoteIdOf = (application: Application) => latestQuote(application).quote_id

/** Starts the job of a quote with these answers of the lender. Returns its application, key and name. */
const startQuoteJob = Effect.fnUntraced(function*(...answers: InTurn<QuoteAnswer>) {
  const application = yield* startPending(...answers)
  const job: Job = { kind: "quote", id: quoteIdOf(application) }
  return { application, job, name: `quote/${job.id}` }
})

/** Contract cases for StoredJobs, and for the operator's use cases of jobs. Requires the scripted lender. */
export const storedJobCases: ContractCases<DurableWorkPorts | JobPorts | StoredJobs> = (it) => {
  it("`find` returns a running job, then a waiting one with its last error, and nothing after its end", function*() {
    const gate = Latch.makeUnsafe()
    const before = millisOf(yield* currentTimestamp)
    const { job } = yield* startQuoteJob((request) => Effect.andThen(gate.await, silent("WITHHELD")(request)))
    const running = yield* awaitJob(job, (stored) => stored?.state === "RUNNING")
    assert.deepInclude(running, { ...job, attempt: 1, failures: 0, last_error: null })
    assert.closeTo(millisOf(running?.created_at ?? timestampOf(0)), before, 60_000)
    yield* gate.open
    const waiting = yield* awaitJob(job, (stored) => stored?.last_error !== null)
    assert.deepInclude(waiting, { last_error: "WITHHELD: scripted", attempt: 1, failures: 0 })
    yield* setQuoteAnswers(offerAnswer)
    yield* awaitJob(job, hasEnded)
  })

  it("`list` returns the stored jobs, the longest due first, up to the limit", function*() {
    const jobs = yield* StoredJobs
    const look_at = yield* inAnHour
    const answer = pending("state", { look_at })
    const started = [yield* startQuoteJob(answer), yield* startQuoteJob(answer)]
    for (const { job } of started) {
      const stored = yield* awaitJob(job, (stored) => stored?.state === "WAITING")
      assert.closeTo(millisOf(stored?.due_at ?? look_at), millisOf(look_at), 60_000)
    }
    const all = yield* jobs.list(10_000)
    assert.includeMembers(all.map(({ id }) => id), started.map(({ job }): string => job.id))
    const times = all.map(({ due_at }) => due_at)
    assert.deepStrictEqual(times, times.toSorted())
    assert.lengthOf(yield* jobs.list(1), 1)
    for (const { name } of started) yield* cancelJob(name)
  })

  it("`listFailed` returns the jobs of a tree that got no answer, the oldest first, up to the limit", function*() {
    const jobs = yield* StoredJobs
    const root = yield* storeRootPartner()
    const startFor = Effect.fnUntraced(function*(partner: PartnerDetail) {
      const application = yield* storeApplication(partner, { at: yield* currentTimestamp })
      yield* atomically(startQuote(application))
      return application
    })
    yield* setQuoteAnswers(pending("state", { look_at: yield* inAnHour }))
    const waiting = yield* startFor(root)
    yield* awaitRequests(waiting, 1)
    yield* setQuoteAnswers(silent("WITHHELD"))
    const first = yield* startFor(root)
    yield* awaitRequests(first, 1)
    const second = yield* startFor(yield* storeChildPartner(root))
    const stranger = yield* startFor(yield* storeRootPartner())
    const ids = [first, second].map(quoteIdOf)
    const listFailed = (limit: number) =>
      Effect.map(jobs.listFailed(root.partner_id, limit), (failed) => failed.map(({ id }) => id))
    while ((yield* listFailed(10)).length < 2) yield* Effect.sleep("10 millis")
    assert.deepStrictEqual(yield* listFailed(10), ids)
    assert.deepStrictEqual(yield* listFailed(1), ids.slice(0, 1))
    // Otherwise these jobs could use up the answers of a later case.
    for (const application of [waiting, first, second, stranger]) yield* cancelJob(`quote/${quoteIdOf(application)}`)
    assert.deepStrictEqual(yield* listFailed(10), [])
  })

  it("`end` removes a job in the surrounding transaction, and a run in progress then records nothing with the job", function*() {
    const jobs = yield* StoredJobs
    const gate = Latch.makeUnsafe()
    const answer = held(gate, pending("state", { look_at: yield* inAnHour }))
    const { application, job } = yield* startQuoteJob(answer, offerAnswer)
    yield* awaitRequests(application, 1)
    yield* rollBack(jobs.end(job))
    assert.isTrue(Option.isSome(yield* jobs.find(job)))
    yield* jobs.end(job)
    yield* gate.open
    yield* runOtherJob
    assert.isTrue(Option.isNone(yield* jobs.find(job)))
    assert.isFalse(isAnswered(yield* awaitState(application, () => true)))
    yield* atomically(startQuote(application))
    yield* awaitAnswer(application)
  })

  it("`find` returns nothing for an unknown id or an unknown kind, and `end` ignores them", function*() {
    const jobs = yield* StoredJobs
    const id = proposalIdOf(yield* storeContractedApplication(yield* storeRootPartner()))
    for (const kind of ["quote", "contract", "unknown"]) {
      const key = { kind, id }
      assert.isTrue(Option.isNone(yield* jobs.find(key)))
      yield* jobs.end(key)
    }
  })

  it("the operator's retry makes a waiting job due at once, and keeps its progress", function*() {
    const answer = pending("kept", { look_at: yield* inAnHour })
    const { application, job, name } = yield* startQuoteJob(answer, offerAnswer)
    yield* awaitJob(job, (stored) => stored?.state === "WAITING")
    yield* retryJob(name)
    yield* awaitAnswer(application)
    assert.deepStrictEqual(yield* statesOf(application), [null, "kept"])
    yield* awaitJob(job, hasEnded)
  })

  it("JOB-07 the operator cancels a job of a quote during its run: the quote is FAILED, and the late result is ignored", function*() {
    const gate = Latch.makeUnsafe()
    const { application, job, name } = yield* startQuoteJob(held(gate, offerAnswer), offerAnswer)
    yield* awaitRequests(application, 1)
    yield* cancelJob(name)
    assert.isTrue(Option.isNone(yield* (yield* StoredJobs).find(job)))
    yield* gate.open
    yield* runOtherJob
    const quote = latestQuote(yield* awaitAnswer(application))
    assert.deepStrictEqual([quote.outcome, quote.rejection?.code], ["FAILED", "UPSTREAM_UNAVAILABLE"])
  })

  it("JOB-07 the operator cannot cancel the job of a contract that the lender may have, and the job continues", function*() {
    const lender = yield* ScriptedLender
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    const proposal_id = proposalIdOf(contract)
    yield* lender.setActions("undone")
    yield* atomically(startContract(contract))
    yield* awaitState(contract, ({ proposal }) => proposal?.submitted_at !== null)
    const refused = yield* Effect.flip(cancelJob(`contract/${proposal_id}`))
    assert.deepInclude(refused, { _tag: "JobNotCancellable", reason: "LENDER_MAY_HAVE_CONTRACT" } as const)
    yield* lender.setActions("done")
    yield* awaitState(contract, ({ proposal }) => proposal !== null && referenceOf(proposal) !== null)
  })
}
