import { assert, describe, it } from "@effect/vitest"
import { givenApplication, givenRoot, saving } from "@lastro/testkit"
import { Effect, Fiber, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { layerStatusWatch } from "../../src/adapters/layerStatusWatch.ts"
import { type Application } from "../../src/fgts/application/Application.ts"
import { type Awaited, StatusWatch } from "../../src/fgts/origination/StatusWatch.ts"
import { wait, waiting, watching } from "./watching.ts"

const next = (application: Application): Application => ({ ...application, version: application.version + 1 })

describe("waking", () => {
  it.effect("a fact that is recorded on this node wakes at once whoever waits for that application, and nobody else", () =>
    watching(Effect.fnUntraced(function*({ application, queries }) {
      const other = yield* givenApplication(yield* givenRoot())
      const [both, alone] = [[yield* waiting(application), yield* waiting(application)], yield* waiting(other)]
      yield* (yield* StatusWatch).changed(application.application_id)
      for (const fiber of both) assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
      assert.strictEqual(queries.length, 0)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(alone), "TIMEOUT")
    })))

  it.effect("a fact of another node wakes at the next tick, after 250 milliseconds at most", () =>
    watching(Effect.fnUntraced(function*({ application }) {
      const outcome = yield* Ref.make<Awaited | "waiting">("waiting")
      yield* Effect.forkChild(Effect.flatMap(wait(application), (awaited) => Ref.set(outcome, awaited)), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Ref.get(outcome), "waiting")
      yield* saving(application, next(application))
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Ref.get(outcome), "CHANGED")
    })))

  it.effect("what changed before the wait began wakes at the next tick too", () =>
    watching(Effect.fnUntraced(function*({ application }) {
      yield* saving(application, next(application))
      const fiber = yield* waiting(application)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
    })))

  it.effect("one query a tick asks for everything that is waited for, each once, and none while nobody waits", () =>
    watching(Effect.fnUntraced(function*({ application, queries }) {
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(queries.length, 0)
      const other = yield* givenApplication(yield* givenRoot())
      for (const one of [application, other, application, application]) yield* waiting(one)
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

  it.effect("a wait ends when its time is over, to the millisecond", () =>
    watching(Effect.fnUntraced(function*({ application }) {
      const fiber = yield* waiting(application, "1234 millis")
      yield* TestClock.adjust("1233 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "TIMEOUT")
    })))

  it.effect("looking goes on after the database was away", () =>
    watching(Effect.fnUntraced(function*({ application, broken, queries }) {
      const fiber = yield* waiting(application)
      yield* Ref.set(broken, true)
      yield* saving(application, next(application))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(queries.length, 20)
      assert.isUndefined(fiber.pollUnsafe())
      yield* Ref.set(broken, false)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
    })))

  it.effect("an application that is not there any more wakes who waits for it", () =>
    watching(Effect.fnUntraced(function*({ application }) {
      const fiber = yield* waiting({ ...application, application_id: "01890000-0000-7000-8000-000000000000" as never })
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
    })))
})

describe("stopping", () => {
  it.effect("lets everybody go, and nobody wait any more", () =>
    watching(Effect.fnUntraced(function*({ application }) {
      const watch = yield* StatusWatch
      const fibers = [yield* waiting(application), yield* waiting(application, "30 seconds", "another")]
      yield* watch.release
      for (const fiber of fibers) assert.strictEqual(yield* Fiber.join(fiber), "RELEASED")
      assert.strictEqual(yield* wait(application), "RELEASED")
      yield* watch.release
    })))

  it.effect("the end of the layer lets everybody go as well", () =>
    watching(Effect.fnUntraced(function*({ application }) {
      const fiber = yield* Effect.scoped(Effect.gen(function*() {
        const context = yield* Layer.build(layerStatusWatch())
        return yield* Effect.forkDetach(Effect.provideContext(wait(application), context), { startImmediately: true })
      }))
      assert.strictEqual(yield* Fiber.join(fiber), "RELEASED")
    })))
})
