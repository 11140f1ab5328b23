import { assert, describe, it } from "@effect/vitest"
import { ScriptedLender, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { type Job, jobAnswered, jobStarted } from "../../src/jobs/Job.ts"
import { judgeLenderReference } from "../../src/jobs/judgeTexts.ts"
import { contractRetryDelayMs, failureDelayMs, outcomeOfPostponed, throttledDelayMs } from "../../src/jobs/retry.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { type LenderContract } from "../../src/loan/LenderContract.ts"
import { type Proposal } from "../../src/loan/Proposal.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { storedProposal } from "../loan/examples.ts"
import { runUntilAnswered } from "./runs.ts"

const contract = (reference: unknown) => ({ reference } as LenderContract)

/** A contract that has not been submitted to the lender. */
const accepted = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  const { proposal_id } = application.proposal as Proposal
  return { application, job: { kind: "contract", id: proposal_id } satisfies Job }
})

const throttled = Effect.fail(new LenderUnavailable({ reason: "THROTTLED", detail: "status 429" }))

const unstorable: ReadonlyArray<unknown> = ["", "a\0b", "\ud800", "x".repeat(257), undefined, null, 7]

describe("a lender with a lasting fault", () => {
  it("LENDER-19 a reference that cannot be stored is no answer", () => {
    for (const reference of unstorable) {
      assert.deepInclude(judgeLenderReference(contract(reference)), { _tag: "Failure" })
    }
    for (const reference of ["x".repeat(256), "CCB-1", "é"]) {
      assert.deepInclude(judgeLenderReference(contract(reference)), { _tag: "Success" })
    }
    assert.deepInclude(judgeLenderReference(null), { _tag: "Success", success: null })
  })

  it.effect("LENDER-19 a reference that cannot be stored is logged, and the same call is repeated", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      for (const reference of ["a\0b", ""]) {
        const { application, job } = yield* accepted
        const broken = Lender.of({
          ...lender,
          submit: (submission) => Effect.map(lender.submit(submission), (one) => ({ ...one, reference }))
        })
        const lines: Array<string> = []
        const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
        const outcome = yield* Effect.provide(Effect.provideService(runJob(job, jobStarted), Lender, broken), logs)
        assert.deepInclude(outcome, { _tag: "RETRY", progress: { attempt: 2, pauses: 1, is_poll_next: true } })
        assert.include(lines.join(), "the reference of the contract cannot be stored")
        assert.isNull(storedProposal(yield* loadApplication(application))?.reference)
        yield* runUntilAnswered(job, { attempt: 2, pauses: 0 })
        assert.strictEqual((yield* loadApplication(application)).proposal?.status, "AWAITING_SIGNATURE")
      }
    })))

  it.effect("FGTS-70 an unsafe signature link is withheld, and the operator is warned without the link", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const { application, job } = yield* accepted
      const unsafe = Lender.of({
        ...lender,
        submit: (submission) =>
          Effect.map(lender.submit(submission), (one) => ({ ...one, signature_url: "https://user:pw@evil.example/" }))
      })
      const lines: Array<string> = []
      const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
      yield* Effect.provide(Effect.provideService(runJob(job, jobStarted), Lender, unsafe), logs)
      const stored = storedProposal(yield* loadApplication(application))
      assert.deepStrictEqual([stored?.status, stored?.signature_url], ["AWAITING_SIGNATURE", null])
      assert.include(lines.join(), "the lender sent an unsafe signature link")
      assert.include(lines.join(), stored?.proposal_id ?? "-")
      assert.notInclude(lines.join(), "evil")
    })))

  it.effect("PROP-12 JOB-04 a contract that is throttled for ever is called ever less often, and the log shows it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const { application, job } = yield* accepted
      let calls = 0
      const refusing = Effect.suspend(() => {
        calls++
        return throttled
      })
      const broken = Lender.of({ ...lender, submit: () => refusing, contract: () => refusing })
      const lines: Array<string> = []
      const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
      const work = yield* Effect.forkChild(
        Effect.provide(Effect.provideService(runUntilAnswered(job), Lender, broken), logs)
      )
      yield* TestClock.adjust("1 day")
      assert.isAbove(calls, 60)
      assert.isBelow(calls, 150)
      const pauses = lines.map((line) => JSON.parse(line).annotations.pauses)
      assert.deepStrictEqual(pauses, [1, 2, 4, 8, 16, 32, 64].slice(0, pauses.length))
      assert.isAtLeast(pauses.length, 6)
      assert.strictEqual((yield* loadApplication(application)).proposal?.status, "SUBMITTING")
      yield* Fiber.interrupt(work)
      assert.strictEqual((yield* (yield* ScriptedLender).contracts).length, 0)
    })))

  it("JOB-04 PROP-12 the delay of a throttled contract grows, that of a quote does not", () => {
    fc.assert(fc.property(fc.uuid({ version: 7 }), fc.integer({ min: 0, max: 5_000 }), (id, pauses) => {
      const postponed = { reason: "THROTTLED", after_ms: 2_000, slot_at: null } as const
      const delayOf = (kind: Job["kind"]) =>
        outcomeOfPostponed({ kind, id } as Job, { ...jobAnswered, pauses }, postponed).after_ms
      const throttled_ms = throttledDelayMs(id, pauses + 1, 2_000)
      assert.strictEqual(delayOf("quote"), throttled_ms)
      assert.strictEqual(delayOf("contract"), contractRetryDelayMs(id, pauses + 1, throttled_ms))
      assert.isAtLeast(delayOf("contract"), throttled_ms)
    }))
  })

  it("JOB-01 PROP-12 from the 61st failure on, the delay of a contract grows by a minute each, up to one day", () => {
    fc.assert(fc.property(fc.uuid({ version: 7 }), fc.integer({ min: 1, max: 60 }), (id, failures) => {
      assert.strictEqual(failureDelayMs(id, failures, "contract"), failureDelayMs(id, failures))
    }))
    const id = "01890000-0000-7000-8000-000000000000"
    assert.deepStrictEqual([61, 62, 160, 1e9].map((failures) => failureDelayMs(id, failures, "contract")), [
      60_000,
      120_000,
      6_000_000,
      86_400_000
    ])
    assert.isAtMost(failureDelayMs(id, 1e9, "quote"), 10_000)
  })
})
