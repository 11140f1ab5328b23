import { assert, describe, it } from "@effect/vitest"
import { saveApplication, storeApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Fiber, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { layerStatusWatch } from "../../src/adapters/layerStatusWatch.ts"
import { type Application } from "../../src/loan/Application.ts"
import { StatusWatch, type WaitResult } from "../../src/ports/StatusWatch.ts"
import { forkWait, wait, withWatch } from "./statusWatchFixture.ts"

const next = (application: Application): Application => ({ ...application, version: application.version + 1 })

describe("notification", () => {
  it.effect("a change recorded on this node immediately notifies the waiters for that application and no others", () =>
    withWatch(Effect.fnUntraced(function*({ application, queries }) {
      const other = yield* storeApplication(yield* storeRootPartner())
      const [both, alone] = [[yield* forkWait(application), yield* forkWait(application)], yield* forkWait(other)]
      yield* (yield* StatusWatch).changed(application.application_id)
      for (const fiber of both) assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
      assert.strictEqual(queries.length, 0)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(alone), "TIMEOUT")
    })))

  it.effect("a change recorded on another node is noticed at the next poll, within 250 ms", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      const outcome = yield* Ref.make<WaitResult | "waiting">("waiting")
      yield* Effect.forkChild(Effect.flatMap(wait(application), (awaited) => Ref.set(outcome, awaited)), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Ref.get(outcome), "waiting")
      yield* saveApplication(application, next(application))
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Ref.get(outcome), "CHANGED")
    })))

  it.effect("a change made before the wait began is noticed at the next poll", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      yield* saveApplication(application, next(application))
      const fiber = yield* forkWait(application)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
    })))

  it.effect("each poll queries every awaited application once, and nothing is queried while no caller waits", () =>
    withWatch(Effect.fnUntraced(function*({ application, queries }) {
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(queries.length, 0)
      const other = yield* storeApplication(yield* storeRootPartner())
      for (const one of [application, other, application, application]) yield* forkWait(one)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(queries.length, 4)
      for (const ids of queries) {
        assert.deepStrictEqual([...ids].toSorted(), [application.application_id, other.application_id].toSorted())
      }
      yield* TestClock.adjust("30 seconds")
      const before = queries.length
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(queries.length, before)
    })))

  it.effect("a wait times out to the millisecond", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      const fiber = yield* forkWait(application, "1234 millis")
      yield* TestClock.adjust("1233 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "TIMEOUT")
    })))

  it.effect("polling continues after a database failure", () =>
    withWatch(Effect.fnUntraced(function*({ application, broken, queries }) {
      const fiber = yield* forkWait(application)
      yield* Ref.set(broken, true)
      yield* saveApplication(application, next(application))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(queries.length, 20)
      assert.isUndefined(fiber.pollUnsafe())
      yield* Ref.set(broken, false)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
    })))

  it.effect("a deleted application ends the waits for it", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      const fiber = yield* forkWait({ ...application, application_id: "01890000-0000-7000-8000-000000000000" as never })
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
    })))
})

describe("shutdown", () => {
  it.effect("releases all waiters and accepts no new ones", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      const watch = yield* StatusWatch
      const fibers = [yield* forkWait(application), yield* forkWait(application, "30 seconds", "another")]
      yield* watch.release
      for (const fiber of fibers) assert.strictEqual(yield* Fiber.join(fiber), "RELEASED")
      assert.strictEqual(yield* wait(application), "RELEASED")
      yield* watch.release
    })))

  it.effect("closing the layer releases all waiters", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      const fiber = yield* Effect.scoped(Effect.gen(function*() {
        const context = yield* Layer.build(layerStatusWatch())
        return yield* Effect.forkDetach(Effect.provideContext(wait(application), context), { startImmediately: true })
      }))
      assert.strictEqual(yield* Fiber.join(fiber), "RELEASED")
    })))
})
