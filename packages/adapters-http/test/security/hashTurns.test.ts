import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeHashTurns } from "../../src/security/hashTurns.ts"

const limits = { concurrent: 1, perAddress: 3, waiting: 4, maxWait: Duration.seconds(10) }

/** A computation that ends when the test opens it, and the order in which computations began. */
const makeComputations = Effect.sync(() => {
  const began: Array<string> = []
  const open = Deferred.makeUnsafe<void>()
  const compute = (name: string) =>
    Effect.andThen(Effect.sync(() => began.push(name)), Effect.as(Deferred.await(open), name))
  return { began, compute, open: Deferred.succeed(open, undefined) }
})

const outcome = <A, E extends { readonly _tag: string }>(fiber: Fiber.Fiber<A, E>) =>
  Effect.map(
    Effect.result(Fiber.join(fiber)),
    (result) => Result.isSuccess(result) ? result.success : result.failure._tag
  )

describe("hashTurns", () => {
  it.effect("T61 an address gets its turn before the waiting hashes of a flood", () =>
    Effect.gen(function*() {
      const withTurn = makeHashTurns(limits)
      const { began, compute, open } = yield* makeComputations
      const names = ["flood 1", "flood 2", "flood 3", "other"]
      const fibers = yield* Effect.forEach(names, (name) =>
        Effect.forkChild(withTurn(name.split(" ")[0] ?? "", compute(name)), { startImmediately: true }))
      yield* open
      assert.deepStrictEqual(yield* Effect.forEach(fibers, outcome), names)
      assert.deepStrictEqual(began, ["flood 1", "other", "flood 2", "flood 3"])
    }))

  it.effect("T61 a hash without a place is refused at once with Busy", () =>
    Effect.gen(function*() {
      const withTurn = makeHashTurns(limits)
      const { compute, open } = yield* makeComputations
      const ask = (address: string) => Effect.forkChild(withTurn(address, compute(address)), { startImmediately: true })
      const flood = yield* Effect.replicateEffect(ask("flood"), 4)
      const others = yield* Effect.forEach(["a", "b", "c"], ask)
      assert.deepStrictEqual(
        [...flood, ...others].map((fiber) => fiber.pollUnsafe() === undefined),
        [true, true, false, false, true, true, true],
        "its fourth hash is over its own limit, and its third gave way when the queue was full"
      )
      const refused = yield* Effect.flip(Fiber.join(flood[3] ?? (yield* Effect.die("no fiber"))))
      assert.deepStrictEqual([refused._tag, refused.retry_after_seconds], ["Busy", 2])
      yield* open
      assert.deepStrictEqual(yield* Effect.forEach([...flood, ...others], outcome), [
        "flood",
        "flood",
        "Busy",
        "Busy",
        "a",
        "b",
        "c"
      ])
    }))

  it.effect("T61 no hash waits longer than the maximum", () =>
    Effect.gen(function*() {
      const withTurn = makeHashTurns(limits)
      const { compute, open } = yield* makeComputations
      const first = yield* Effect.forkChild(withTurn("a", compute("first")), { startImmediately: true })
      const second = yield* Effect.forkChild(withTurn("b", compute("second")), { startImmediately: true })
      yield* TestClock.adjust(Duration.millis(9_999))
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* outcome(second), "Busy")
      yield* open
      assert.strictEqual(yield* outcome(first), "first", "a hash in computation is not stopped")
    }))

  it.effect("T37 an interrupted request keeps its place until its hash is computed, and frees a place in the queue at once", () =>
    Effect.gen(function*() {
      const withTurn = makeHashTurns(limits)
      const { began, compute, open } = yield* makeComputations
      const fork = (name: string) => Effect.forkChild(withTurn("a", compute(name)), { startImmediately: true })
      const running = yield* fork("running")
      const waiting = yield* fork("waiting")
      yield* Fiber.interrupt(waiting)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
      const next = yield* fork("next")
      assert.deepStrictEqual(began, ["running"])
      yield* open
      yield* Fiber.join(stopping)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(running)))
      assert.strictEqual(yield* outcome(next), "next")
      assert.deepStrictEqual(began, ["running", "next"])
    }))
})
