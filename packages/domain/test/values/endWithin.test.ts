import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { endWithin } from "../../src/values/endWithin.ts"

const late = Effect.succeed("late" as const)

/** Asserts that an effect ends with `late` exactly 30 seconds after its start. */
const expectTimeout = Effect.fnUntraced(function*<E>(effect: Effect.Effect<string, E>) {
  const fiber = yield* Effect.forkChild(effect)
  yield* TestClock.adjust("29999 millis")
  assert.isUndefined(fiber.pollUnsafe())
  yield* TestClock.adjust("1 millis")
  assert.deepStrictEqual(fiber.pollUnsafe(), Exit.succeed("late"))
})

describe("endWithin", () => {
  it.effect("returns the result of an effect that ends in time, whatever it is", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* endWithin(Effect.succeed(1), "30 seconds", late), 1)
      assert.strictEqual(yield* Effect.flip(endWithin(Effect.fail("no"), "30 seconds", late)), "no")
      assert.deepStrictEqual(
        yield* Effect.exit(endWithin(Effect.die("defect"), "30 seconds", late)),
        Exit.die("defect")
      )
      const slow = yield* Effect.forkChild(
        endWithin(Effect.delay(Effect.succeed(2), "29999 millis"), "30 seconds", late)
      )
      yield* TestClock.adjust("29999 millis")
      assert.strictEqual(yield* Fiber.join(slow), 2)
    }))

  it.effect("ends with `onTimeout` at the timeout and interrupts the effect", () =>
    Effect.gen(function*() {
      let isInterrupted = false
      const hanging = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          isInterrupted = true
        }))
      yield* expectTimeout(endWithin(hanging, "30 seconds", late))
      yield* Effect.yieldNow
      assert.isTrue(isInterrupted)
    }))

  it.effect("ends at the timeout even if the effect ignores its interruption or its finalizer never ends", () =>
    Effect.gen(function*() {
      yield* expectTimeout(endWithin(Effect.uninterruptible(Effect.never), "30 seconds", late))
      yield* expectTimeout(endWithin(Effect.ensuring(Effect.never, Effect.never), "30 seconds", late))
    }))

  it.effect("ends at the timeout within a region that cannot be interrupted", () =>
    Effect.gen(function*() {
      yield* expectTimeout(Effect.uninterruptible(endWithin(Effect.never, "30 seconds", late)))
      yield* expectTimeout(
        endWithin(endWithin(Effect.uninterruptible(Effect.never), "1 hour", late), "30 seconds", late)
      )
    }))

  it.effect("drops the result of an effect that ends after the timeout", () =>
    Effect.gen(function*() {
      const latch = Latch.makeUnsafe()
      let ended = 0
      const slow = Effect.uninterruptible(Effect.andThen(latch.await, Effect.sync(() => String(++ended))))
      const fiber = yield* Effect.forkChild(endWithin(slow, "30 seconds", late))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      yield* latch.open
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(ended, 1)
    }))

  it.effect("an interruption ends it at once, even if the effect ignores the interruption", () =>
    Effect.gen(function*() {
      for (const effect of [Effect.never, Effect.uninterruptible(Effect.never)]) {
        const fiber = yield* Effect.forkChild(endWithin(effect, "30 seconds", late))
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      }
    }))

  it.effect("runs the effect with the services of its caller", () =>
    Effect.gen(function*() {
      const Name = Context.Reference<string>("@lastro/domain/test/endWithin/Name", { defaultValue: () => "default" })
      const read = Effect.gen(function*() {
        return yield* Name
      })
      assert.strictEqual(yield* Effect.provideService(endWithin(read, "30 seconds", late), Name, "given"), "given")
    }))
})
