import { assert, describe, it } from "@effect/vitest"
import {
  answerWithOffers,
  saveApplication,
  ScriptedLender,
  silent,
  storeApplication,
  storeContractedApplication,
  submitExampleKyc,
  usualAnswer
} from "@lastro/testkit"
import { type Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Allowed } from "../../src/access/Authorization.ts"
import { submitContract } from "../../src/jobs/runContract.ts"
import { runQuote } from "../../src/jobs/runQuote.ts"
import { type Application } from "../../src/loan/Application.ts"
import { type FgtsApplicationStatus } from "../../src/origination/FgtsApplicationStatus.ts"
import { getApplicationStatus } from "../../src/origination/GetApplicationStatus.ts"
import { StatusWatch } from "../../src/ports/StatusWatch.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { requoteApplication } from "../commands.ts"
import { callerOf, loadApplication, outcomeOf, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"
import { hourMs } from "../loan/examples.ts"

/** Stores an application of partner `a` with a pending quote, and returns the administrator. */
const setUp = Effect.gen(function*() {
  const { a, aAdmin, strangerAdmin } = yield* storeTwoTrees
  const caller = yield* callerOf(aAdmin)
  return {
    application: yield* storeApplication(a, { at: yield* currentTimestamp }),
    reading: yield* permit(caller, "fgts:read"),
    writing: yield* permit(caller, "fgts:write"),
    partner: a,
    stranger: yield* permit(yield* callerOf(strangerAdmin), "fgts:read")
  }
})

const read = (
  reading: Allowed<"fgts:read">,
  { application_id }: Application,
  wait: string | undefined = undefined,
  known?: number
) =>
  getApplicationStatus(
    reading,
    application_id,
    { wait },
    ({ version }: FgtsApplicationStatus) => known === undefined ? Option.none() : Option.some(version === known)
  )

/** Measures how long a read waits, and returns its answer. The clock advances by a minute by default. */
const measureWait = <A, E, R>(
  reading: Effect.Effect<A, E, R>,
  during: Effect.Effect<unknown, never, R> = Effect.void
) =>
  Effect.gen(function*() {
    const begun = yield* currentTimestamp
    const fiber = yield* Effect.forkChild(Effect.zip(reading, currentTimestamp), { startImmediately: true })
    yield* during
    yield* TestClock.adjust("1 minute")
    const [answer, ended] = yield* Fiber.join(fiber)
    return { answer, milliseconds: Date.parse(ended) - Date.parse(begun) }
  })

const delay = <A, E, R>(pause: Duration.Input, effect: Effect.Effect<A, E, R>) =>
  Effect.orDie(Effect.andThen(TestClock.adjust(pause), effect))

describe("getApplicationStatus", () => {
  it.effect("WAIT-03 responds at once without a wait, or for another version", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading } = yield* setUp
      for (const [wait, known] of [[undefined, undefined], ["0", 1], ["-3", 1], ["30", 7]] as const) {
        const { answer, milliseconds } = yield* measureWait(read(reading, application, wait, known))
        assert.strictEqual(milliseconds, 0)
        assert.isFalse(answer.turned_away)
        assert.deepInclude(answer.status, {
          status: "QUOTING",
          quote_status: "PENDING",
          next_action: "WAIT",
          version: 1
        })
      }
    })))

  it.effect("WAIT-02 WAIT-03 holds an unchanged status for the requested wait, at most 30 seconds", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading } = yield* setUp
      for (const [wait, known, expected] of [["2", 1, 2_000], ["30", undefined, 30_000], ["900", 1, 30_000]] as const) {
        const { answer, milliseconds } = yield* measureWait(read(reading, application, wait, known))
        assert.strictEqual(milliseconds, expected)
        assert.strictEqual(answer.status.version, 1)
      }
    })))

  it.effect("WAIT-03 wakes at once on a change and returns it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading } = yield* setUp
      yield* (yield* ScriptedLender).setQuoteAnswers(usualAnswer)
      const { answer, milliseconds } = yield* measureWait(
        read(reading, application, "30"),
        delay("3 seconds", runQuote(application.quotes[0].quote_id))
      )
      assert.strictEqual(milliseconds, 3_000)
      assert.deepInclude(answer.status, { status: "QUOTED", next_action: "SUBMIT_KYC", version: 2 })
    })))

  it.effect("WAIT-03 PROP-16 the start of a submission does not end a wait; the refusal of its data does, with FIX_KYC", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { partner, reading } = yield* setUp
      const lender = yield* ScriptedLender
      const contracted = yield* storeContractedApplication(partner, { at: yield* currentTimestamp })
      const proposal_id = contracted.proposal?.proposal_id as ProposalId
      yield* lender.setActions("undone", { invalid: [{ field: "phone", code: "INVALID" }] })
      const arrival = yield* read(reading, contracted)
      const waiting = read(reading, contracted, "30", arrival.status.version)
      const started = yield* measureWait(waiting, delay("3 seconds", submitContract(proposal_id)))
      assert.strictEqual((yield* loadApplication(contracted)).proposal?.invisible_events, 1)
      assert.strictEqual(started.milliseconds, 30_000)
      assert.deepStrictEqual(started.answer.status, arrival.status)
      const refused = yield* measureWait(waiting, delay("3 seconds", submitContract(proposal_id)))
      assert.strictEqual(refused.milliseconds, 3_000)
      assert.deepInclude(refused.answer.status, { status: "CONTRACTING", next_action: "FIX_KYC" })
    })))

  it.effect("WAIT-03 wakes on a use case of this node, but not on changes of other applications", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading, writing } = yield* setUp
      yield* (yield* ScriptedLender).setQuoteAnswers(silent())
      const offered = yield* saveApplication(application, yield* answerWithOffers(application))
      const { answer, milliseconds } = yield* measureWait(
        read(reading, offered, "30", offered.version),
        Effect.andThen(
          delay("1 second", Effect.flatMap(StatusWatch, (watch) => watch.changed("another" as never))),
          delay("1 second", requoteApplication(writing, application.application_id, undefined))
        )
      )
      assert.strictEqual(milliseconds, 2_000)
      assert.strictEqual(answer.status.status, "QUOTING")
    })))

  it.effect("WAIT-03 FGTS-10 wakes at the exact expiry of an offer, without an event", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading } = yield* setUp
      const offered = yield* saveApplication(application, yield* answerWithOffers(application))
      const submitted = yield* saveApplication(offered, submitExampleKyc(offered))
      yield* TestClock.adjust(24 * hourMs - 5_000)
      const { answer: before } = yield* measureWait(read(reading, submitted))
      yield* TestClock.setTime(Date.parse(submitted.updated_at) + 24 * hourMs - 5_000)
      const { answer, milliseconds } = yield* measureWait(read(reading, submitted, "30", submitted.version))
      assert.strictEqual(milliseconds, 5_000)
      assert.deepInclude(answer.status, { status: "EXPIRED", next_action: "REQUOTE", version: submitted.version + 1 })
      assert.notDeepEqual(answer.status, before.status)
    })))

  it.effect("WAIT-03 waits in every status that the caller already has, and otherwise only while the next action is WAIT", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading } = yield* setUp
      const over = yield* saveApplication(application, {
        ...application,
        quotes: [{ ...application.quotes[0], outcome: "REJECTED" }]
      })
      const known = yield* measureWait(read(reading, over, "30", over.version))
      assert.deepStrictEqual([known.milliseconds, known.answer.status.next_action], [30_000, "NONE"])
      const offered = yield* saveApplication(application, yield* answerWithOffers(application))
      const unknown = yield* measureWait(read(reading, offered, "30"))
      assert.deepStrictEqual([unknown.milliseconds, unknown.answer.status.next_action], [0, "SUBMIT_KYC"])
    })))

  it.effect("WAIT-01 the 21st waiter of a caller is answered at once as saturated; so are all waiters at shutdown", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading } = yield* setUp
      const held = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.forkChild(read(reading, application, "30"), { startImmediately: true })
      )
      const { answer, milliseconds } = yield* measureWait(read(reading, application, "30"), Effect.void)
      assert.strictEqual(milliseconds, 0)
      assert.isTrue(answer.turned_away)
      for (const fiber of held) assert.isFalse((yield* Fiber.join(fiber)).turned_away)
      const stopped = yield* measureWait(
        read(reading, application, "30"),
        delay("1 second", Effect.flatMap(StatusWatch, (watch) => watch.release))
      )
      assert.strictEqual(stopped.milliseconds, 1_000)
      assert.strictEqual((yield* measureWait(read(reading, application, "30"))).milliseconds, 0)
    })))

  it.effect("checks existence, then hierarchy, then the query", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading, stranger } = yield* setUp
      const nobody = { ...application, application_id: "01890000-0000-7000-8000-000000000000" as never }
      assert.strictEqual(yield* outcomeOf(read(reading, nobody, "soon")), "NotFound")
      assert.strictEqual(yield* outcomeOf(read(stranger, application, "soon")), "OutsideHierarchy")
      assert.strictEqual(yield* outcomeOf(read(reading, application, "soon")), "query.wait INVALID_TYPE")
    })))
})
