import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { hasCapacity } from "../../src/adapters/layerStatusWatch.ts"
import { StatusWatch } from "../../src/ports/StatusWatch.ts"
import { forkWait, wait, withWatch } from "./statusWatchFixture.ts"

describe("waiting slots", () => {
  it("WAIT-01 defaults to 20 slots per caller and 2,000 per node", () => {
    for (
      const [ofCaller, ofNode, place] of [
        [0, 0, true],
        [19, 1_999, true],
        [20, 20, false],
        [0, 2_000, false],
        [21, 2_001, false]
      ] as const
    ) assert.strictEqual(hasCapacity({ ofCaller, ofNode }), place)
    fc.assert(fc.property(fc.nat({ max: 5 }), fc.nat({ max: 5 }), fc.nat({ max: 5 }), fc.nat({ max: 5 }), (
      ofCaller,
      more,
      perCaller,
      perNode
    ) => {
      const ofNode = ofCaller + more
      assert.strictEqual(
        hasCapacity({ ofCaller, ofNode }, { perCaller, perNode }),
        ofCaller < perCaller && ofNode < perNode
      )
    }))
  })

  it.effect("WAIT-01 refuses the twenty-first wait of a caller at once; other callers and later waits are unaffected", () =>
    withWatch(Effect.fnUntraced(function*({ application }) {
      const first = yield* Effect.forEach(Array.from({ length: 20 }), () => forkWait(application))
      assert.strictEqual(yield* wait(application), "TURNED_AWAY")
      const other = yield* forkWait(application, "1 second", "another")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(other), "TIMEOUT")
      yield* TestClock.adjust("30 seconds")
      for (const one of first) assert.strictEqual(yield* Fiber.join(one), "TIMEOUT")
      const again = yield* forkWait(application, "1 second")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(again), "TIMEOUT")
    })))

  it.effect("WAIT-01 a full node refuses every caller until a slot is released", () =>
    withWatch(
      Effect.fnUntraced(function*({ application }) {
        const [one, ...others] = yield* Effect.forEach(["a", "b", "c"], (subject) =>
          forkWait(application, "1 minute", subject))
        assert.strictEqual(yield* wait(application, "1 minute", "d"), "TURNED_AWAY")
        yield* Fiber.interrupt(one!)
        const next = yield* forkWait(application, "1 minute", "d")
        assert.strictEqual(yield* wait(application, "1 minute", "e"), "TURNED_AWAY")
        yield* (yield* StatusWatch).changed(application.application_id)
        for (const fiber of [...others, next]) {
          assert.strictEqual(yield* Fiber.join(fiber), "CHANGED")
        }
      }),
      { perNode: 3 }
    ))

  it.effect("WAIT-01 a slot is released when the caller disconnects, is notified or is released", () =>
    withWatch(
      Effect.fnUntraced(function*({ application }) {
        const watch = yield* StatusWatch
        for (let round = 0; round < 50; round++) {
          const fiber = yield* forkWait(application)
          assert.strictEqual(yield* wait(application), "TURNED_AWAY")
          if (round % 2 === 0) yield* Fiber.interrupt(fiber)
          else yield* watch.changed(application.application_id)
          yield* Fiber.await(fiber)
        }
      }),
      { perCaller: 1 }
    ))
})
