import { assert, describe, it } from "@effect/vitest"
import {
  pending,
  type QuoteAnswer,
  ScriptedLender,
  silent,
  storeApplication,
  storeRootPartner,
  throttled,
  usualAnswer
} from "@lastro/testkit"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { type Job, jobStarted } from "../../src/jobs/Job.ts"
import { judgePending } from "../../src/jobs/judgeTexts.ts"
import { isAlarming } from "../../src/jobs/logUnavailable.ts"
import { deadlineMsOf, pendingDelayMs, quoteDeadlineMs, throttledDelayMs } from "../../src/jobs/retry.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { LenderSettings } from "../../src/lender/LenderSettings.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { currentTimestamp, millisOf, type Timestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers, start } from "../fixtures.ts"
import { msAfter, noon } from "../loan/examples.ts"
import { runToEnd } from "./runs.ts"

const storePendingQuote = Effect.gen(function*() {
  return yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
})

const jobOf = ({ quotes: [{ quote_id }] }: Application): Job => ({ kind: "quote", id: quote_id })

const quoteOf = (application: Application) => Effect.map(loadApplication(application), latestQuote)

/** Answers PENDING, to be requested again after a delay. */
const pendingFor = (ms: number, state = "state", callback_key: string | null = null): QuoteAnswer => (request) =>
  Effect.flatMap(
    currentTimestamp,
    (at) => pending(state, { look_at: msAfter(ms, at), callback_key })(request)
  )

const never = "9999-12-31T23:59:59.999Z" as Timestamp

/**
 * Runs the job of an application to its end while the clock advances. Returns the requests: time since the start,
 * attempt and state.
 */
const runAlong = Effect.fnUntraced(function*(application: Application, along: Parameters<typeof TestClock.adjust>[0]) {
  const work = yield* Effect.forkChild(runToEnd(jobOf(application)))
  yield* TestClock.adjust(along)
  yield* Fiber.join(work)
})

const recordTimes = (answers: ReadonlyArray<QuoteAnswer>) => {
  const seen: Array<readonly [passed: number, attempt: number, state: string | null]> = []
  const [first = silent(), ...rest] = answers.map((answer): QuoteAnswer => (request) =>
    Effect.andThen(
      Effect.map(currentTimestamp, (at) =>
        seen.push([millisOf(at) - millisOf(start), request.attempt, request.lender_state])),
      answer(request)
    )
  )
  return { seen, answers: [first, ...rest] as const }
}

describe("PENDING quotes", () => {
  it.effect("LENDER-06 a quote that is PENDING is requested again at look_at, with the lender's state, and is no attempt", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote
      const { answers, seen } = recordTimes([
        pendingFor(5_000, "one"),
        pendingFor(3_600_000, "two"),
        pendingFor(-1_000, "three"),
        usualAnswer
      ])
      yield* (yield* ScriptedLender).setQuoteAnswers(...answers)
      yield* runAlong(application, "3 hours")
      assert.deepStrictEqual(seen, [
        [0, 1, null],
        [5_000, 1, "one"],
        [3_605_000, 1, "two"],
        [3_606_000, 1, "three"]
      ])
      assert.strictEqual((yield* quoteOf(application)).outcome, "COMPLETED")
    })))

  it.effect("LENDER-06 a PENDING answer is stored with the job: state, key and time, and nothing of the application changes", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote
      yield* (yield* ScriptedLender).setQuoteAnswers(pendingFor(5_000, "one", "key"))
      assert.deepStrictEqual(yield* runJob(jobOf(application), { attempt: 2, pauses: 7 }), {
        _tag: "RETRY",
        after_ms: 5_000,
        progress: { attempt: 2, pauses: 0, lender_state: "one", callback_key: "key" }
      })
      assert.deepStrictEqual(yield* loadApplication(application), application)
    })))

  it.effect("LENDER-12 LENDER-02 a PENDING quote fails at its deadline of 24 hours, or at the operator's", () =>
    runWithoutWorkers(Effect.gen(function*() {
      for (const [deadline, hours] of [[undefined, 24], [2 * 3_600_000, 2]] as const) {
        const application = yield* storePendingQuote
        yield* (yield* ScriptedLender).setQuoteAnswers(pending("state", { look_at: never }))
        const run = runAlong(application, "25 hours")
        yield* deadline === undefined
          ? run
          : Effect.provideService(run, LenderSettings, { quote_deadline_ms: deadline, max_monthly_rate: null })
        const quote = yield* quoteOf(application)
        assert.strictEqual(quote.outcome, "FAILED")
        assert.deepInclude(quote.rejection, { code: "UPSTREAM_UNAVAILABLE" })
        const passed = millisOf(quote.completed_at ?? start) - millisOf(application.created_at)
        assert.approximately(passed, hours * 3_600_000, 10)
      }
    })))

  it.effect("LENDER-02 once the lender has answered PENDING, failed requests do not end the quote before its deadline", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote
      const fails = [silent(), silent(), silent(), silent(), silent("FORBIDDEN"), silent()]
      const { answers, seen } = recordTimes([pendingFor(1_000, "one"), ...fails, usualAnswer])
      yield* (yield* ScriptedLender).setQuoteAnswers(...answers)
      yield* runAlong(application, "1 hour")
      assert.strictEqual((yield* quoteOf(application)).outcome, "COMPLETED")
      assert.deepStrictEqual(seen.map(([, , state]) => state), [null, ...Array.from({ length: 7 }, () => "one")])
    })))

  it.effect("LENDER-02 LENDER-12 an adapter that fails with a defect or breaks its type fails each run, and the quote at its deadline", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const thrown = () => {
        throw new Error("thrown")
      }
      const offer = { table: { code: "standard", label: "Standard" }, terms: { net_amount: 1 }, valid_until: null }
      const junk = [undefined, null, { kind: "PRICED", offers: [offer], unpriced: [] }, { kind: "PRICED" }]
      const answers = [
        () => Effect.die(new Error("defect")),
        thrown,
        ...junk.map((answer) => () => Effect.succeed(answer as never))
      ]
      for (const answer of answers) {
        const application = yield* storePendingQuote
        yield* (yield* ScriptedLender).setQuoteAnswers(answer)
        const run = Effect.exit(runJob(jobOf(application), jobStarted))
        assert.isTrue(Exit.hasDies(yield* run))
        yield* TestClock.adjust("599 seconds")
        assert.isTrue(Exit.hasDies(yield* run))
        assert.strictEqual((yield* quoteOf(application)).outcome, "PENDING")
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* run, Exit.succeed({ _tag: "DONE" }))
        assert.strictEqual((yield* quoteOf(application)).outcome, "FAILED")
      }
    })))

  it.effect("LENDER-07 JOB-04 a throttled request is no attempt, waits as long as the lender states, and never fails the quote early", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote
      const { answers, seen } = recordTimes([...Array.from({ length: 20 }, () => throttled(1_000)), usualAnswer])
      yield* (yield* ScriptedLender).setQuoteAnswers(...answers)
      yield* runAlong(application, "9 minutes")
      assert.strictEqual((yield* quoteOf(application)).outcome, "COMPLETED")
      assert.deepStrictEqual(new Set(seen.map(([, attempt]) => attempt)), new Set([1]))
      for (const [index, [passed]] of seen.entries()) {
        if (index > 0) assert.isAtLeast(passed - (seen[index - 1]?.[0] ?? 0), 1_000)
      }
    })))

  it.effect("LENDER-07 LENDER-12 a lender that throttles for ever fails the quote at its deadline", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote
      yield* (yield* ScriptedLender).setQuoteAnswers(throttled())
      yield* runAlong(application, "20 minutes")
      const quote = yield* quoteOf(application)
      assert.strictEqual(quote.outcome, "FAILED")
      assert.approximately(millisOf(quote.completed_at ?? start) - millisOf(start), quoteDeadlineMs, 10)
    })))

  it.effect("LENDER-01 a failure that states a delay is repeated after it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote
      const failure: QuoteAnswer = () =>
        Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "scripted", retry_after_ms: 90_000 }))
      const { answers, seen } = recordTimes([failure, failure, usualAnswer])
      yield* (yield* ScriptedLender).setQuoteAnswers(...answers)
      yield* runAlong(application, "4 minutes")
      assert.strictEqual((yield* quoteOf(application)).outcome, "COMPLETED")
      assert.deepStrictEqual(seen.map(([passed]) => passed), [0, 90_000, 180_000])
    })))

  it.effect("LENDER-13 a PENDING answer that cannot be stored counts as no answer", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const answer = { kind: "PENDING", lender_state: "x".repeat(8_192), look_at: noon } as const
      assert.strictEqual(judgePending({ ...answer, callback_key: "k".repeat(128) })._tag, "Success")
      assert.strictEqual(judgePending({ ...answer, lender_state: `${answer.lender_state}x` })._tag, "Failure")
      assert.strictEqual(judgePending({ ...answer, callback_key: "k".repeat(129) })._tag, "Failure")
      assert.strictEqual(judgePending({ ...answer, lender_state: "a\0b" })._tag, "Failure")
      const application = yield* storePendingQuote
      yield* (yield* ScriptedLender).setQuoteAnswers(pendingFor(1_000, "x".repeat(8_193)))
      yield* runAlong(application, "11 minutes")
      assert.strictEqual((yield* quoteOf(application)).outcome, "FAILED")
    })))
})

describe("the rules of delays", () => {
  it("LENDER-06 the next request is at look_at, at least one second later and at most at the deadline", () => {
    const deadline_ms = 24 * 3_600_000
    fc.assert(fc.property(fc.integer({ min: -1e6, max: 2e8 }), fc.integer({ min: 0, max: 2e8 }), (look, passed) => {
      const delay = pendingDelayMs(
        { look_at: msAfter(look) },
        { created_at: noon },
        msAfter(passed),
        deadline_ms
      )
      assert.strictEqual(delay, Math.min(Math.max(look - passed, 1_000), Math.max(deadline_ms - passed, 0)))
    }))
    const invalid = "soon" as Timestamp
    assert.strictEqual(pendingDelayMs({ look_at: invalid }, { created_at: noon }, noon, deadline_ms), 1_000)
  })

  it("LENDER-12 the deadline is ten minutes, and the operator's once the lender has answered PENDING", () => {
    assert.strictEqual(deadlineMsOf(false, { quote_deadline_ms: 5 }), 600_000)
    assert.strictEqual(deadlineMsOf(true, { quote_deadline_ms: 5 }), 5)
  })

  it("LENDER-07 the stated delay is kept, at most 15 minutes, and the default is one second, plus up to ten seconds", () => {
    fc.assert(fc.property(
      fc.uuid({ version: 7 }),
      fc.integer({ min: 1, max: 1_000 }),
      fc.option(fc.integer({ min: -5, max: 5e6 }), { nil: undefined }),
      (id, pauses, stated) => {
        const base = Math.min(Math.max(stated ?? 1_000, 0), 900_000)
        const delay = throttledDelayMs(id, pauses, stated)
        assert.isAtLeast(delay, base + 200)
        assert.isAtMost(delay, base + 10_000)
      }
    ))
  })

  it("LENDER-08 refused credentials are logged as an error at the attempts 1, 2, 4, 8 …", () => {
    const alarming = Array.from({ length: 40 }, (_, index) => index + 1)
    assert.deepStrictEqual(alarming.filter((attempt) => isAlarming({ reason: "FORBIDDEN" }, attempt)), [
      1,
      2,
      4,
      8,
      16,
      32
    ])
    assert.isTrue(isAlarming({ reason: "FORBIDDEN" }, 0))
    assert.deepStrictEqual(alarming.find((attempt) => isAlarming({ reason: "ASKED" }, attempt)), 10)
  })
})
