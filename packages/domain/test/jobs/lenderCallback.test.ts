import { assert, describe, it } from "@effect/vitest"
import {
  acceptQuotedOffer,
  answerWithOffers,
  MemoryDatabase,
  pending,
  PendingWork,
  saveApplication,
  ScriptedLender,
  storeApplication,
  storeRootPartner,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { lenderCallback } from "../../src/jobs/lenderCallback.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { CallbackRefused, type CallbackTarget, type LenderCallback } from "../../src/lender/LenderCallback.ts"
import { lenderRegistry, Lenders } from "../../src/lender/Lenders.ts"
import { DurableWork } from "../../src/origination/DurableWork.ts"
import { type QuoteId } from "../../src/values/ids.ts"
import { addMillis, currentTimestamp } from "../../src/values/Timestamp.ts"
import { outcomeOf, runWithoutWorkers } from "../fixtures.ts"

const callback = (targets: ReadonlyArray<unknown>, secret = "secret"): LenderCallback => ({
  method: "POST",
  path: "/api/v1/lender-callbacks/signed",
  headers: { authorization: secret },
  body: new TextEncoder().encode(JSON.stringify(targets))
})

/** Longer than the keys and references that can be stored. */
const tooLong = "x".repeat(257)

/** Runs a test with a lender whose callbacks name their targets in clear text. */
const withCallbacks = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  runWithoutWorkers(Effect.updateService(test, Lender, (scripted) => ({
    ...scripted,
    requirements: { ...scripted.requirements, name: "signed" },
    callback: ({ body, headers }) =>
      headers["authorization"] === "secret"
        ? Effect.succeed(JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<CallbackTarget>)
        : Effect.fail(new CallbackRefused({ detail: "wrong secret" }))
  })))

/** Opens a quote that the lender answered with PENDING, to be requested again in an hour. */
const openPending = Effect.fnUntraced(function*(callback_key: string | null = null) {
  const application = yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  const look_at = addMillis(yield* currentTimestamp, 3_600_000)
  yield* (yield* ScriptedLender).setQuoteAnswers(pending("state", { look_at, callback_key }))
  yield* (yield* DurableWork).startQuote(application.quotes[0].quote_id)
  yield* (yield* PendingWork).finish
  return application.quotes[0].quote_id
})

const dueJobs = Effect.flatMap(PendingWork, ({ pending }) => Effect.map(pending, (jobs) => jobs.map(({ id }) => id)))

describe("lenderCallback", () => {
  it.effect("JOB-06 makes a quote due, by its id or its callback key", () =>
    withCallbacks(Effect.gen(function*() {
      const first = yield* openPending()
      const second = yield* openPending("key")
      assert.deepStrictEqual(yield* dueJobs, [])
      yield* lenderCallback("signed", callback([{ kind: "quote", quote_id: first }]))
      assert.deepStrictEqual(yield* dueJobs, [first])
      yield* lenderCallback("signed", callback([{ kind: "quote", callback_key: "key" }]))
      assert.deepStrictEqual(yield* dueJobs, [first, second])
    })))

  it.effect("JOB-06 a callback makes at most 100 jobs due", () =>
    withCallbacks(Effect.gen(function*() {
      const first = yield* openPending()
      const second = yield* openPending()
      const other = { kind: "quote", callback_key: "other" }
      const targets = [
        ...Array.from({ length: 99 }, () => other),
        { kind: "quote", quote_id: first },
        { kind: "quote", quote_id: second }
      ]
      yield* lenderCallback("signed", callback(targets))
      assert.deepStrictEqual(yield* dueJobs, [first])
    })))

  it.effect("JOB-06 LENDER-13 hands the state of a callback to the next request, unless it cannot be stored", () =>
    withCallbacks(Effect.gen(function*() {
      const states = Effect.map(
        Effect.flatMap(ScriptedLender, ({ calls }) => calls),
        (calls) => calls.flatMap((call) => call._tag === "Quote" ? [call.request.lender_state] : [])
      )
      const quote_id = yield* openPending("key")
      const offered = ["x".repeat(8_192), "x".repeat(8_193), "a\0b", ""]
      for (const lender_state of offered) {
        yield* TestClock.adjust("2 seconds")
        yield* lenderCallback("signed", callback([{ kind: "quote", quote_id, lender_state }]))
        assert.deepStrictEqual(yield* dueJobs, [quote_id])
        yield* (yield* PendingWork).finish
      }
      // Each answer of the lender replaces the state again.
      assert.deepStrictEqual(yield* states, [null, offered[0]!, "state", "state", ""])
      yield* TestClock.adjust("2 seconds")
      yield* lenderCallback("signed", callback([{ kind: "quote", callback_key: "key", lender_state: "by key" }]))
      yield* (yield* PendingWork).finish
      assert.strictEqual((yield* states).at(-1), "by key")
    })))

  it.effect("JOB-06 makes a contract due, by its proposal or the lender's reference", () =>
    withCallbacks(Effect.gen(function*() {
      for (const by of ["proposal_id", "reference"] as const) {
        const application = yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
        const offered = yield* saveApplication(application, yield* answerWithOffers(application))
        const identified = yield* saveApplication(offered, submitExampleKyc(offered))
        const { proposal } = yield* saveApplication(identified, yield* acceptQuotedOffer(identified))
        const proposal_id = proposal?.proposal_id ?? assert.fail()
        yield* (yield* DurableWork).startContract(proposal_id)
        yield* (yield* PendingWork).finish
        assert.deepStrictEqual(yield* dueJobs, [])
        const value = by === "reference" ? `scripted-${proposal_id}` : proposal_id
        yield* lenderCallback("signed", callback([{ kind: "contract", [by]: value }]))
        assert.deepStrictEqual(yield* dueJobs, [proposal_id])
        yield* (yield* PendingWork).finish
      }
    })))

  it.effect("JOB-05 JOB-06 replayed callbacks lead to at most one run a second", () =>
    withCallbacks(Effect.gen(function*() {
      const quote = yield* openPending()
      const calls = Effect.map(Effect.flatMap(ScriptedLender, ({ calls }) => calls), ({ length }) => length)
      const before = yield* calls
      const replay = Effect.andThen(
        lenderCallback("signed", callback([{ kind: "quote", quote_id: quote }])),
        Effect.flatMap(PendingWork, ({ finish }) => finish)
      )
      // The fake runs a job that is made due at once, so only the number of times it is made due is limited.
      yield* replay
      yield* Effect.replicateEffect(replay, 30, { discard: true })
      assert.isAtMost((yield* calls) - before, 2)
      yield* TestClock.adjust("5 seconds")
      yield* replay
      assert.isAtMost((yield* calls) - before, 3)
    })))

  it.effect("JOB-06 LENDER-27 a callback makes the job due that a version without codes has stored for the only lender", () =>
    withCallbacks(Effect.gen(function*() {
      const quote = yield* openPending()
      yield* lenderCallback("signed", callback([{ kind: "quote", quote_id: quote }])).pipe(
        Effect.provideServiceEffect(
          Lenders,
          Effect.map(lenderRegistry, (registry) => ({ ...registry, quote_patience_ms: 0 }))
        )
      )
      assert.deepStrictEqual(yield* dueJobs, [quote])
    })))

  it.effect("JOB-06 unknown, early and malformed targets change nothing", () =>
    withCallbacks(Effect.gen(function*() {
      yield* openPending("key")
      const { state } = yield* MemoryDatabase
      const before = yield* state
      yield* lenderCallback(
        "signed",
        callback([
          { kind: "quote", quote_id: "01890000-0000-7000-8000-000000000000" as QuoteId },
          { kind: "quote", quote_id: "not an id" },
          { kind: "quote", callback_key: "another key" },
          { kind: "quote", callback_key: "" },
          { kind: "quote", callback_key: "a\0b" },
          { kind: "quote", callback_key: tooLong },
          { kind: "contract", proposal_id: "01890000-0000-7000-8000-000000000000" },
          { kind: "contract", reference: "unknown" },
          { kind: "contract", reference: "a\0b" },
          { kind: "contract", reference: tooLong }
        ])
      )
      yield* lenderCallback("signed", callback([]))
      assert.deepStrictEqual((yield* state).work, before.work)
      assert.deepStrictEqual((yield* state).applications, before.applications)
      assert.isFalse(Array.from((yield* state).callbacks.keys()).some((key) => key.includes(tooLong)))
    })))

  it.effect("JOB-06 a forged callback and an unknown lender are refused", () =>
    withCallbacks(Effect.gen(function*() {
      const quote = yield* openPending()
      const forged = callback([{ kind: "quote", quote_id: quote }], "guess")
      assert.strictEqual(yield* outcomeOf(lenderCallback("signed", forged)), "CallbackRefused")
      assert.strictEqual(yield* outcomeOf(lenderCallback("other", forged)), "NotFound")
      assert.deepStrictEqual(yield* dueJobs, [])
    })))
})
