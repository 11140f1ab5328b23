import { assert, describe, it } from "@effect/vitest"
import {
  aCustomer,
  type QuoteAnswer,
  requestAnotherQuote,
  saveApplication,
  ScriptedLender,
  silent,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner,
  submitExampleKyc,
  usualAnswer
} from "@lastro/testkit"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Job, type JobProgress } from "../../src/jobs/Job.ts"
import { quoteDeadlineMs, quoteRetryDelayMs, retryDelayMs } from "../../src/jobs/retry.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { runQuote } from "../../src/jobs/runQuote.ts"
import { lenderCallDeadlineMs } from "../../src/lender/callWithinLimits.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { nextAction } from "../../src/loan/nextAction.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { addMillis, currentTimestamp, millisOf, type Timestamp } from "../../src/values/Timestamp.ts"
import { auditEntriesOf, loadApplication, runWithoutWorkers, start } from "../fixtures.ts"
import { runToEnd } from "./runs.ts"

const storePendingQuote = (fields: Parameters<typeof storeApplication>[1] = {}) =>
  Effect.gen(function*() {
    return yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp, ...fields })
  })

const outcome = (application: Application) =>
  Effect.map(loadApplication(application), (one) => latestQuote(one).outcome)

/** Times of the lender requests in milliseconds since the quote was requested, and their attempt numbers. */
const recordRequests = (application: Application) => {
  const requests: Array<readonly [passed: number, attempt: number]> = []
  const recording = (answer: QuoteAnswer): QuoteAnswer => (request) =>
    Effect.andThen(
      Effect.map(currentTimestamp, (at) =>
        requests.push([millisOf(at) - millisOf(application.created_at), request.attempt])),
      answer(request)
    )
  return { requests, recording }
}

const jobOf = ({ quotes: [{ quote_id }] }: Application): Job => ({ kind: "quote", id: quote_id })

/** Runs the first quote to its end and advances the clock as needed. */
const runFirstQuote = Effect.fnUntraced(function*(application: Application) {
  const work = yield* Effect.forkChild(runToEnd(jobOf(application)))
  yield* TestClock.adjust("20 minutes")
  yield* Fiber.join(work)
})

describe("runQuote", () => {
  it.effect("FGTS-62 finds the contracts of the same person at the partner and below it, and no others", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const [root, partner, child, sibling] = yield* storeForest([null, 0, 1, 0])
      const at = yield* currentTimestamp
      /** Returns `blocked_until` and the next action of an application of `partner` beside a contract of a customer. */
      const blockedBeside = Effect.fnUntraced(function*(
        holder: typeof root,
        changes: (customer: Application["customer"]) => Application["customer"] = (customer) => customer
      ) {
        const customer = yield* aCustomer()
        const held = yield* storeContractedApplication(holder, { at, customer: changes(customer) })
        const application = yield* storeApplication(partner, { at, customer })
        yield* runQuote(application.quotes[0].quote_id)
        const read = yield* loadApplication(application)
        const last = latestQuote(held).offers[0]?.terms.installments.at(-1)?.due_date
        const expected = last === undefined ? null : addDays(last, 1)
        return [latestQuote(read).blocked_until === expected, nextAction(read, yield* currentTimestamp)]
      })
      for (const holder of [partner, child]) {
        assert.deepStrictEqual(yield* blockedBeside(holder), [true, "WAIT_FOR_SETTLEMENT"])
      }
      for (const holder of [root, sibling]) {
        assert.deepStrictEqual(yield* blockedBeside(holder), [false, "SUBMIT_KYC"])
      }
      const born = (customer: Application["customer"]) => ({ ...customer, birth_date: calendarDate("1971-02-03") })
      assert.deepStrictEqual(yield* blockedBeside(child, born), [false, "SUBMIT_KYC"])
    })))

  it.effect("LENDER-02 gives up after three attempts without an answer, with a growing delay between them", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote()
      const { requests, recording } = recordRequests(application)
      yield* (yield* ScriptedLender).setQuoteAnswers(recording(silent()))
      yield* runFirstQuote(application)
      const id = application.quotes[0].quote_id
      const [first, second] = [Math.floor(retryDelayMs(id, 1)), Math.floor(retryDelayMs(id, 1) + retryDelayMs(id, 2))]
      assert.deepStrictEqual(requests.map(([, attempt]) => attempt), [1, 2, 3])
      for (const [index, expected] of [0, first, second].entries()) {
        assert.approximately(requests[index]?.[0] ?? NaN, expected, 2)
      }
      const { outcome, rejection } = latestQuote(yield* loadApplication(application))
      assert.strictEqual(outcome, "FAILED")
      assert.deepInclude(rejection, { kind: "UPSTREAM", code: "UPSTREAM_UNAVAILABLE", retryable: true, retry_at: null })
    })))

  it.effect("LENDER-05 LENDER-02 a lender that never returns gets three attempts of 30 s, and then the quote fails", () =>
    runWithoutWorkers(Effect.gen(function*() {
      for (const answer of [Effect.never, Effect.uninterruptible(Effect.never)]) {
        const application = yield* storePendingQuote()
        const { requests, recording } = recordRequests(application)
        yield* (yield* ScriptedLender).setQuoteAnswers(recording(() => answer))
        yield* runFirstQuote(application)
        const id = application.quotes[0].quote_id
        const second = lenderCallDeadlineMs + retryDelayMs(id, 1)
        const third = second + lenderCallDeadlineMs + retryDelayMs(id, 2)
        assert.deepStrictEqual(requests.map(([, attempt]) => attempt), [1, 2, 3])
        for (const [index, expected] of [0, second, third].entries()) {
          assert.approximately(requests[index]?.[0] ?? NaN, expected, 2)
        }
        const after = yield* loadApplication(application)
        assert.strictEqual(applicationStatus(after, after.updated_at), "QUOTE_FAILED")
        const ended = millisOf(after.updated_at) - millisOf(application.created_at)
        assert.approximately(ended, third + lenderCallDeadlineMs, 3)
      }
    })))

  it.effect("LENDER-01 LENDER-02 a run makes one call, with the number of its attempt, and returns the next attempt and its delay", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const application = yield* storePendingQuote()
      const [quote] = application.quotes
      for (const reason of ["ASKED", "WITHHELD"] as const) {
        yield* scripted.setQuoteAnswers(silent(reason))
        for (const attempt of [1, 2]) {
          for (const pauses of [0, 1, 7, 40]) {
            const before = (yield* scripted.calls).length
            const outcome = yield* runJob(jobOf(application), { attempt, pauses })
            const progress: JobProgress = { attempt: reason === "ASKED" ? attempt + 1 : attempt, pauses: pauses + 1 }
            assert.deepStrictEqual(outcome, {
              _tag: "RETRY",
              after_ms: quoteRetryDelayMs(quote, pauses + 1, start),
              progress
            })
            const made = (yield* scripted.calls).slice(before)
            assert.deepStrictEqual(made.map((call) => call._tag === "Quote" && call.request.attempt), [attempt])
          }
        }
      }
    })))

  it.effect("LENDER-02 a job that resumes after a crash with its progress makes only the attempts that are left", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const application = yield* storePendingQuote()
      const { requests, recording } = recordRequests(application)
      yield* scripted.setQuoteAnswers(recording(silent()))
      const first = yield* runQuote(application.quotes[0].quote_id)
      assert.isTrue(first._tag === "RETRY")
      if (first._tag !== "RETRY") return
      const second = yield* runQuote(application.quotes[0].quote_id, first.progress)
      assert.isTrue(second._tag === "RETRY")
      if (second._tag !== "RETRY") return
      assert.strictEqual(yield* outcome(application), "PENDING")
      const third = yield* runQuote(application.quotes[0].quote_id, second.progress)
      assert.deepStrictEqual(third, { _tag: "DONE" })
      assert.deepStrictEqual(requests.map(([, attempt]) => attempt), [1, 2, 3])
      assert.strictEqual(yield* outcome(application), "FAILED")
    })))

  it.effect("LENDER-02 accepts an answer to the third attempt", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote()
      yield* (yield* ScriptedLender).setQuoteAnswers(silent(), silent(), usualAnswer)
      yield* runFirstQuote(application)
      assert.strictEqual(yield* outcome(application), "COMPLETED")
    })))

  it.effect("LENDER-02 withheld attempts are not counted and end at the deadline, to the millisecond", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote()
      const { requests, recording } = recordRequests(application)
      yield* (yield* ScriptedLender).setQuoteAnswers(recording(silent("WITHHELD")))
      yield* runFirstQuote(application)
      assert.deepStrictEqual(new Set(requests.map(([, attempt]) => attempt)), new Set([1]))
      assert.isAtLeast(requests.at(-1)?.[0] ?? 0, quoteDeadlineMs)
      assert.isAtMost(requests.at(-1)?.[0] ?? 0, quoteDeadlineMs + 1)
      assert.isBelow(requests.at(-2)?.[0] ?? quoteDeadlineMs, quoteDeadlineMs)
      for (const [index, [passed]] of requests.entries()) {
        const pause = passed - (requests[index - 1]?.[0] ?? passed)
        assert.isAtMost(pause, 60_000)
      }
      const quote = latestQuote(yield* loadApplication(application))
      assert.strictEqual(quote.outcome, "FAILED")
      assert.approximately(millisOf(quote.completed_at ?? start) - millisOf(start), quoteDeadlineMs, 1)
    })))

  it.effect("LENDER-25 a withheld call ages only the job whose failed calls opened the circuit", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const application = yield* storePendingQuote()
      for (
        const [is_cause, progress] of [
          [true, { attempt: 2, pauses: 8 }],
          [false, { attempt: 1, pauses: 7 }]
        ] as const
      ) {
        yield* scripted.setQuoteAnswers(() =>
          Effect.fail(new LenderUnavailable({ reason: "WITHHELD", detail: "", retry_after_ms: 100_000, is_cause }))
        )
        const outcome = yield* runJob(jobOf(application), { attempt: 1, pauses: 7 })
        assert.deepStrictEqual(outcome, { _tag: "RETRY", after_ms: 100_000, progress })
      }
    })))

  it.effect("LENDER-02 a lender that recovers before the deadline still gets three attempts", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote()
      const { requests, recording } = recordRequests(application)
      const withheld: QuoteAnswer = (request) =>
        Effect.flatMap(currentTimestamp, (at) =>
          millisOf(at) - millisOf(start) < 300_000
            ? Effect.fail(new LenderUnavailable({ reason: "WITHHELD", detail: "" }))
            : silent()(request))
      yield* (yield* ScriptedLender).setQuoteAnswers(recording(withheld))
      yield* runFirstQuote(application)
      assert.deepStrictEqual(requests.map(([, attempt]) => attempt).filter((attempt) => attempt > 1), [2, 3])
      assert.strictEqual(yield* outcome(application), "FAILED")
    })))

  it.effect("LENDER-02 a quote that a crash delayed past its deadline gets one attempt, and its answer is accepted", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      for (const [answer, expected] of [[silent(), "FAILED"], [usualAnswer, "COMPLETED"]] as const) {
        const application = yield* storePendingQuote()
        yield* TestClock.adjust("1 hour")
        const { requests, recording } = recordRequests(application)
        yield* scripted.setQuoteAnswers(recording(answer))
        yield* runQuote(application.quotes[0].quote_id)
        assert.deepStrictEqual(requests, [[3_600_000, 1]])
        assert.strictEqual(yield* outcome(application), expected)
      }
    })))

  it.effect("requests the desired amount, by the date and policy of the request", () =>
    runWithoutWorkers(
      Effect.gen(function*() {
        const wish = { max_installments: 2, desired_amount: centavos(100_00) }
        const application = yield* storePendingQuote({ wish })
        const scripted = yield* ScriptedLender
        yield* TestClock.adjust("2 seconds")
        yield* saveApplication(application, submitExampleKyc(application, { at: yield* currentTimestamp }))
        yield* runQuote(application.quotes[0].quote_id)
        const [call] = yield* scripted.calls
        assert.isTrue(call?._tag === "Quote")
        if (call?._tag !== "Quote") return
        assert.deepInclude(call.request, {
          application_id: application.application_id,
          quote_id: application.quotes[0].quote_id,
          number: 1,
          attempt: 1,
          requested_at: application.created_at,
          customer: application.customer,
          wish
        })
        assert.strictEqual(call.request.released_on, "2026-10-31")
        assert.strictEqual(call.request.policy.version, "CCFGTS-1130/2025-1")
      }),
      // One second before midnight of 1 November in São Paulo.
      "2026-11-01T02:59:59.000Z" as Timestamp
    ))

  it.effect("FGTS-03 records the result after the latest event, even if the clock was set back", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote()
      yield* TestClock.adjust("1 minute")
      const told = yield* saveApplication(application, submitExampleKyc(application, { at: yield* currentTimestamp }))
      yield* TestClock.setTime(millisOf(start) + 1_000)
      yield* runQuote(application.quotes[0].quote_id)
      const after = yield* loadApplication(application)
      assert.strictEqual(after.updated_at, told.updated_at)
      assert.strictEqual(latestQuote(after).completed_at, told.updated_at)
    })))

  it.effect("FGTS-13 T46 makes no request for a quote that is finished, superseded or unknown", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const done = yield* storePendingQuote()
      yield* runQuote(done.quotes[0].quote_id)
      const after = yield* loadApplication(done)
      const superseded = yield* saveApplication(
        after,
        yield* requestAnotherQuote(after, addMillis(start, 1))
      )
      const calls = (yield* (yield* ScriptedLender).calls).length
      yield* runQuote(superseded.quotes[0].quote_id)
      yield* runQuote("01890000-0000-7000-8000-000000000000" as never)
      assert.strictEqual((yield* (yield* ScriptedLender).calls).length, calls)
      assert.deepStrictEqual(yield* loadApplication(done), superseded)
    })))

  it.effect("FGTS-13 T46 of two concurrent runs, the first result is recorded and audited once", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const application = yield* storePendingQuote()
      const id = application.quotes[0].quote_id
      yield* Effect.all([runQuote(id), runQuote(id), runQuote(id)], { concurrency: "unbounded" })
      const after = yield* loadApplication(application)
      assert.strictEqual(after.version, application.version + 1)
      const entries = yield* auditEntriesOf(application.application_id)
      assert.deepStrictEqual(entries.map(({ action, actor }) => [action, actor]), [["application.quote", "lender"]])
      assert.strictEqual(latestQuote(after).offers.length, 2)
    })))
})
