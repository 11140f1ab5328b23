import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import {
  CostlyAbove,
  type CostlyLimits,
  CostlyReads,
  defaultCostlyLimits,
  makeCostlyTurns,
  ReadBudgetExceeded,
  readInTurn,
  readList
} from "../../src/ports/index.ts"
import { Busy } from "../../src/ports/index.ts"

interface Read {
  readonly caller: string
  /** Default: each caller has a root of its own. */
  readonly root?: string
  /** The time in seconds before the read starts to wait. */
  readonly at: number
  /** The time in seconds that the read takes. */
  readonly takes: number
}

interface Observed extends Read {
  readonly started: number | undefined
  readonly ended: number
}

/** The time on the test clock in seconds. */
const now = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1_000)

const patient: CostlyLimits = {
  concurrent: 2,
  concurrentPerRoot: 1,
  perCaller: 1_000,
  maxWait: Duration.hours(1),
  maxRun: Duration.hours(1)
}

/** Runs reads on a test clock, and observes when each of them starts and ends. */
const observe = (reads: ReadonlyArray<Read>, limits: CostlyLimits) =>
  Effect.gen(function*() {
    const observed: Array<Observed> = []
    const fibers = yield* Effect.forEach(reads, (read) => {
      let started: number | undefined
      const run = Effect.flatMap(now, (second) => {
        started = second
        return Effect.sleep(Duration.seconds(read.takes))
      })
      const end = Effect.map(now, (second) => observed.push({ ...read, started, ended: second }))
      return Effect.forkChild(
        Effect.delay(
          Effect.ensuring(Effect.result(readInTurn({ key: read.caller, root: read.root ?? read.caller }, run)), end),
          Duration.seconds(read.at)
        )
      )
    })
    for (let second = 0; second < 400; second++) yield* TestClock.adjust(Duration.seconds(1))
    yield* Effect.forEach(fibers, Fiber.join)
    return observed
  }).pipe(Effect.provideService(CostlyReads, makeCostlyTurns(limits)))

const isRunning = (second: number) => ({ ended, started }: Observed): boolean =>
  started !== undefined && started <= second && second < ended

const someReads = fc.array(
  fc.record({
    caller: fc.constantFrom("wide", "wide", "wide", "a", "b"),
    at: fc.integer({ min: 0, max: 5 }),
    takes: fc.integer({ min: 1, max: 4 })
  }),
  { minLength: 1, maxLength: 30 }
)

it.effect("T62 PAGE-27 at most two costly reads run at the same time, and at most one of each caller", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(someReads, async (reads) => {
        const observed = await Effect.runPromise(Effect.provide(observe(reads, patient), TestClock.layer()))
        assert.strictEqual(observed.filter(({ started }) => started !== undefined).length, reads.length)
        for (let second = 0; second < 400; second++) {
          const running = observed.filter(isRunning(second))
          assert.isAtMost(running.length, 2)
          assert.strictEqual(new Set(running.map(({ caller }) => caller)).size, running.length)
        }
      }),
      { numRuns: 20 }
    )
  ))

it.effect("T62 PAGE-27 callers take turns, however many reads one of them has", () =>
  Effect.gen(function*() {
    const wide = Array.from({ length: 16 }, () => ({ caller: "wide", at: 0, takes: 3 }))
    const others = ["a", "b", "c"].map((caller) => ({ caller, at: 1, takes: 3 }))
    const observed = yield* observe([...wide, ...others], patient)
    for (const one of observed.filter(({ caller }) => caller !== "wide")) {
      // Two turns are taken at a time, and at most three reads of other callers are before it.
      assert.isAtMost(one.started ?? 400, 7)
    }
  }))

it.effect("PAGE-27 TURN-01 a root takes its turn at once, however many callers of another root wait, and leaves the others a turn", () =>
  Effect.gen(function*() {
    const costly = Array.from(
      { length: 16 },
      (_, index) => ({ caller: `user ${index}`, root: "wide", at: 0, takes: 3 })
    )
    const victim = [1, 5, 9].map((at) => ({ caller: "victim", root: "other", at, takes: 3 }))
    const observed = yield* observe([...costly, ...victim], patient)
    for (const { at, caller, started } of observed) if (caller === "victim") assert.strictEqual(started, at)
    for (let second = 0; second < 48; second++) {
      const running = observed.filter(isRunning(second)).filter(({ root }) => root === "wide")
      assert.lengthOf(running, 1)
    }
  }))

it.effect("T62 PAGE-27 a read without a turn in time is refused, and one over the limit of its caller at once", () =>
  Effect.gen(function*() {
    const limits: CostlyLimits = { ...patient, perCaller: 3, maxWait: Duration.seconds(5) }
    const reads = Array.from({ length: 4 }, () => ({ caller: "wide", at: 0, takes: 20 }))
    const observed = yield* observe([...reads, { caller: "wide", at: 30, takes: 1 }], limits)
    const refused = observed.filter(({ started }) => started === undefined)
    assert.deepStrictEqual(refused.map(({ ended }) => ended), [0, 5, 5])
    assert.isDefined(observed.find(({ at }) => at === 30)?.started)
  }))

it.effect("T62 PAGE-28 a costly read that takes too long is refused with Busy, and its turn ends", () =>
  Effect.gen(function*() {
    const slow = yield* Effect.forkChild(Effect.result(readInTurn({ key: "wide" }, Effect.never)))
    yield* TestClock.adjust(defaultCostlyLimits.maxRun)
    assert.deepStrictEqual(yield* Fiber.join(slow), Result.fail(new Busy({ retry_after_seconds: 2 })))
    assert.strictEqual(yield* readInTurn({ key: "wide" }, Effect.succeed("read")), "read")
  }).pipe(Effect.provideService(CostlyReads, makeCostlyTurns(defaultCostlyLimits))))

it.effect("PAGE-26 a read within the budget runs once, and a costly one again without a budget", () =>
  Effect.gen(function*() {
    const budgets: Array<number> = []
    const read = (examined: number) => (budget: number) =>
      Effect.suspend(() => {
        budgets.push(budget)
        return examined > budget ? Effect.fail(new ReadBudgetExceeded()) : Effect.succeed(examined)
      })
    assert.strictEqual(yield* readList({ key: "a" }, read(10)), 10)
    assert.strictEqual(yield* readList({ key: "a" }, read(11)), 11)
    assert.deepStrictEqual(budgets, [10, 10, Number.POSITIVE_INFINITY])
    assert.strictEqual(yield* Effect.flip(readList({ key: "a" }, () => Effect.fail("other"))), "other")
  }).pipe(Effect.provideService(CostlyAbove, 10)))

it.effect("PAGE-26 while costly reads of the same root wait, a read is costly above an eighth of the usual number", () =>
  Effect.gen(function*() {
    const budgets: Array<number> = []
    const first = (root: string) =>
      readList({ key: "caller", root }, (budget) => {
        budgets.push(budget)
        return Effect.succeed("read")
      })
    const readers = yield* Effect.forEach(
      ["one", "other"],
      (key) =>
        Effect.forkChild(Effect.result(readInTurn({ key, root: "wide" }, Effect.never)), { startImmediately: true })
    )
    yield* first("wide")
    yield* first("narrow")
    for (const reader of readers) yield* Fiber.interrupt(reader)
    yield* first("wide")
    assert.deepStrictEqual(budgets, [1_000, 8_000, 8_000])
  }).pipe(Effect.provideService(CostlyReads, makeCostlyTurns(defaultCostlyLimits))))
