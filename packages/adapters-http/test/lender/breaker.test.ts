import { assert, describe, it } from "@effect/vitest"
import { layerHttpLender } from "@lastro/adapters-http"
import { CallOrigin, layerLenders, Lender } from "@lastro/domain/lender"
import { aSubmission } from "@lastro/testkit"
import { type LenderFault, type RecordingLenderServer } from "@lastro/testkit/lender-server"
import { Duration, Effect, Exit, Fiber, Layer, Metric, Scheduler } from "effect"
import { TestClock } from "effect/testing"
import { makeLenderBreaker } from "../../src/lender/lenderBreaker.ts"
import { overHttp, quoting } from "./asking.ts"

const failures = 3
const openFor = Duration.seconds(10)

/** Runs a test with a breaker that opens after three failures, for ten seconds of the test clock. */
const breaking = <A, E>(test: (server: RecordingLenderServer) => Effect.Effect<A, E, Lender>) =>
  overHttp(test, { breaker: { failures, openFor } })

const failing = { status: 503 } satisfies LenderFault

/** Requests a quote and returns its kind, or the reason of the failure. */
const outcome = Effect.match(quoting("00"), {
  onFailure: ({ reason }) => reason,
  onSuccess: ({ kind }) => kind
})

const outcomes = (times: number) => Effect.replicateEffect(outcome, times)

describe("circuit breaker of the lender", () => {
  it.effect("opens after consecutive failures and closes after its open time", () =>
    breaking(Effect.fnUntraced(function*({ calls, injectFaults }) {
      injectFaults(failing, failing, "DROP")
      assert.deepStrictEqual(yield* outcomes(5), ["ASKED", "ASKED", "ASKED", "WITHHELD", "WITHHELD"])
      assert.lengthOf(calls, failures)
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* outcome, "WITHHELD")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* outcomes(2), ["PRICED", "PRICED"])
    })))

  it.effect("closes after its open time even if the clock of the node is set back", () =>
    breaking(Effect.fnUntraced(function*({ injectFaults }) {
      yield* TestClock.adjust("1 hour")
      injectFaults(failing, failing, failing)
      yield* outcomes(failures)
      assert.strictEqual(yield* outcome, "WITHHELD")
      yield* TestClock.setTime(0)
      yield* TestClock.adjust(openFor)
      assert.strictEqual(yield* outcome, "PRICED")
    })))

  it.effect("LENDER-24 bad quotes of one tenant withhold no call of another, and one repeated bad quote no other call", () =>
    breaking(Effect.fnUntraced(function*({ injectFaults }) {
      const quoteOf = (root: string, job: string) =>
        Effect.provideService(outcome, CallOrigin, { root, partner: root, job })
      injectFaults(...Array.from({ length: 6 }, () => failing))
      const repeated = yield* Effect.replicateEffect(quoteOf("a", "bad"), 4)
      assert.deepStrictEqual(repeated, ["ASKED", "ASKED", "ASKED", "ASKED"])
      assert.strictEqual(yield* quoteOf("a", "bad2"), "ASKED")
      assert.strictEqual(yield* quoteOf("a", "bad3"), "ASKED")
      assert.strictEqual(yield* quoteOf("a", "good"), "WITHHELD")
      const victim = yield* Effect.forEach([1, 2, 3], (number) => quoteOf("b", `good${number}`))
      assert.deepStrictEqual(victim, ["PRICED", "PRICED", "PRICED"])
    })))

  it.effect("shows its state in a metric", () =>
    breaking(Effect.fnUntraced(function*({ injectFaults }) {
      const isOpen = Effect.map(Metric.snapshot, (metrics) =>
        metrics.flatMap(({ attributes = {}, id, state }) =>
          id === "lastro_lender_breaker_open" && "value" in state ? [[attributes["circuit"], state.value]] : []
        ))
      assert.deepStrictEqual<unknown>(yield* isOpen, [["quotes", 0], ["contracts", 0]])
      injectFaults(failing, failing, failing)
      yield* outcomes(failures)
      assert.deepStrictEqual<unknown>(yield* isOpen, [["quotes", 1], ["contracts", 0]])
      yield* TestClock.adjust(openFor)
      assert.deepStrictEqual<unknown>(yield* isOpen, [["quotes", 0], ["contracts", 0]], "the next call is made")
      yield* outcome
      assert.deepStrictEqual<unknown>(yield* isOpen, [["quotes", 0], ["contracts", 0]])
    })).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))

  it.effect("the metrics of two lenders over HTTP have the codes of the lenders", () =>
    Effect.gen(function*() {
      const lender = layerHttpLender({ url: "http://127.0.0.1:9" })
      yield* Layer.build(layerLenders({ blue: lender, green: lender }))
      const labels = (yield* Metric.snapshot).flatMap(({ attributes = {}, id }) =>
        id === "lastro_lender_breaker_open" ? [`${attributes["lender"]} ${attributes["circuit"]}`] : []
      )
      assert.sameMembers(labels, ["blue quotes", "blue contracts", "green quotes", "green contracts"])
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map())))

  it.effect("ignores throttled calls: 429, and 503 with Retry-After", () =>
    breaking(Effect.fnUntraced(function*({ calls, injectFaults }) {
      const throttled = { status: 429 }
      const unavailable = { status: 503, headers: { "retry-after": "2" } }
      injectFaults(throttled, unavailable, throttled, throttled, failing, throttled, failing, unavailable, failing)
      assert.deepStrictEqual(yield* outcomes(10), [
        "THROTTLED",
        "THROTTLED",
        "THROTTLED",
        "THROTTLED",
        "ASKED",
        "THROTTLED",
        "ASKED",
        "THROTTLED",
        "ASKED",
        "WITHHELD"
      ])
      assert.lengthOf(calls, 9)
    })))

  it.effect("doubles its open time if the next call fails too", () =>
    breaking(Effect.fnUntraced(function*({ calls, injectFaults }) {
      injectFaults(failing, failing, failing, failing)
      yield* outcomes(3)
      yield* TestClock.adjust(openFor)
      assert.deepStrictEqual(yield* outcomes(2), ["ASKED", "WITHHELD"])
      yield* TestClock.adjust(openFor)
      assert.strictEqual(yield* outcome, "WITHHELD")
      yield* TestClock.adjust(openFor)
      assert.strictEqual(yield* outcome, "PRICED")
      assert.lengthOf(calls, 5)
    })))

  it.effect("counts only consecutive failures, and no client errors", () =>
    breaking(Effect.fnUntraced(function*({ injectFaults }) {
      injectFaults(failing, failing, null, failing, failing, { status: 422 }, failing, failing, { status: 404 })
      const expected = ["ASKED", "ASKED", "PRICED", "ASKED", "ASKED", "ASKED", "ASKED", "ASKED", "ASKED", "PRICED"]
      assert.deepStrictEqual<ReadonlyArray<string>>(yield* outcomes(10), expected)
    })))

  it.effect("counts protocol violations and timeouts", () =>
    breaking(Effect.fnUntraced(function*({ calls, injectFaults }) {
      injectFaults({ status: 200, body: "<html>" }, { status: 200, body: "<html>" }, "SILENCE")
      assert.deepStrictEqual(yield* outcomes(2), ["ASKED", "ASKED"])
      const waiting = yield* Effect.forkChild(outcome, { startImmediately: true })
      while (calls.length < 3) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), "ASKED")
      assert.strictEqual(yield* outcome, "WITHHELD")
    })))

  it.effect("has separate circuits for quotes and contracts", () =>
    breaking(Effect.fnUntraced(function*({ injectFaults }) {
      injectFaults(failing, failing, failing)
      yield* outcomes(3)
      assert.strictEqual(yield* outcome, "WITHHELD")
      assert.strictEqual((yield* (yield* Lender).submit(aSubmission("00"))).status, "PAID")
    })))

  it.effect("an interrupted probe is not left behind, wherever the interruption comes", () =>
    Effect.scoped(Effect.gen(function*() {
      const { through } = yield* makeLenderBreaker("bank", ["quotes"], { failures, openForMs: 10_000 })
      const calling = <A>(call: Effect.Effect<A, string>) =>
        through({
          key: "quotes",
          operation: "quote",
          resultOf: Exit.match({ onFailure: () => "FAILURE", onSuccess: () => "SUCCESS" })
        }, call)
      yield* Effect.replicateEffect(Effect.exit(calling(Effect.fail("down"))), failures)
      for (let operations = 4; operations <= 40; operations++) {
        yield* TestClock.adjust("1 minute")
        const probe = yield* Effect.forkChild(
          Effect.provideService(calling(Effect.never), Scheduler.MaxOpsBeforeYield, operations),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(probe)
      }
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* calling(Effect.succeed("made")), "made")
    })))

  it.effect("does not count interrupted calls", () =>
    breaking(Effect.fnUntraced(function*({ calls, injectFaults }) {
      for (let call = 1; call <= 2 * failures; call++) {
        injectFaults("SILENCE")
        const waiting = yield* Effect.forkChild(outcome, { startImmediately: true })
        while (calls.length < call) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(waiting)
      }
      assert.strictEqual(yield* outcome, "PRICED")
    })))

  it.effect("LENDER-11 states before a call that it would be withheld, without taking the probe", () =>
    breaking(Effect.fnUntraced(function*({ calls, injectFaults }) {
      const { withheld = () => Effect.succeed(null) } = yield* Lender
      const reasonOf = (operation: "poll" | "quote") => Effect.map(withheld(operation), (failure) => failure?.reason)
      assert.isUndefined(yield* reasonOf("quote"))
      injectFaults(failing, failing, failing)
      yield* outcomes(failures)
      assert.deepStrictEqual([yield* reasonOf("quote"), yield* reasonOf("poll")], ["WITHHELD", undefined])
      yield* TestClock.adjust(openFor)
      assert.isUndefined(yield* reasonOf("quote"))
      assert.lengthOf(calls, failures)
      assert.strictEqual(yield* outcome, "PRICED")
    })))

  it.effect("keeps the circuits of at most 1 024 tenants", () =>
    Effect.scoped(Effect.gen(function*() {
      const { through } = yield* makeLenderBreaker("bank", ["quotes"], { failures: 2, openForMs: 10_000 })
      const failAs = (root: string, job: string) =>
        Effect.provideService(
          Effect.flip(through({ key: "quotes", operation: "quote", resultOf: () => "FAILURE" }, Effect.fail("down"))),
          CallOrigin,
          { root, partner: root, job }
        )
      // The first failure of a tenant opens no circuit. The results alternate, so that the circuit of all stays closed.
      const succeedAs = (root: string) =>
        Effect.provideService(
          through({ key: "quotes", operation: "quote", resultOf: () => "SUCCESS" }, Effect.void),
          CallOrigin,
          { root, partner: root, job: root }
        )
      yield* failAs("first", "1")
      for (let index = 0; index < 1_024; index++) {
        yield* succeedAs("other")
        yield* failAs(`root${index}`, "1")
      }
      yield* failAs("first", "2")
      assert.strictEqual(yield* failAs("first", "3"), "down", "its first failure was forgotten")
      const withheld = yield* failAs("first", "4")
      assert.strictEqual(typeof withheld === "string" ? withheld : withheld.reason, "WITHHELD")
    })))
})
