import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Deadline, monotonicMillisOf } from "../../src/pipeline/Deadline.ts"
import { DeadlineWatch, type Watched } from "../../src/pipeline/DeadlineWatch.ts"

/** Makes requests that note when they expire. */
const given = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const watch = new DeadlineWatch()
    const expired: Array<string> = []
    const add = (name: string, limit: number): Watched => {
      const request = { deadline: new Deadline(limit, monotonicMillisOf(clock)), expire: () => void expired.push(name) }
      watch.add(request, clock)
      return request
    }
    return { watch, expired, add, now: () => monotonicMillisOf(clock) }
  })
)

describe("DeadlineWatch", () => {
  it.effect("expires each request at its deadline, once", () =>
    Effect.gen(function*() {
      const { add, expired } = yield* given
      add("slow", 1_000)
      yield* TestClock.adjust("400 millis")
      add("later", 1_000)
      yield* TestClock.adjust("599 millis")
      assert.deepStrictEqual(expired, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(expired, ["slow"])
      yield* TestClock.adjust("400 millis")
      assert.deepStrictEqual(expired, ["slow", "later"])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(expired, ["slow", "later"])
    }))

  it.effect("expires a request whose deadline precedes that of an older request", () =>
    Effect.gen(function*() {
      const { add, expired } = yield* given
      add("old", 1_000)
      add("waited in the queue", 300)
      yield* TestClock.adjust("300 millis")
      assert.deepStrictEqual(expired, ["waited in the queue"])
      yield* TestClock.adjust("700 millis")
      assert.deepStrictEqual(expired, ["waited in the queue", "old"])
    }))

  it.effect("waits for a postponed deadline", () =>
    Effect.gen(function*() {
      const { add, expired, now } = yield* given
      add("long poll", 1_000).deadline.postpone(now() + 5_000)
      yield* TestClock.adjust("5999 millis")
      assert.deepStrictEqual(expired, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(expired, ["long poll"])
    }))

  it.effect("does not expire a removed request, and expires nothing after its close", () =>
    Effect.gen(function*() {
      const { add, expired, watch } = yield* given
      watch.remove(add("answered", 1_000))
      yield* TestClock.adjust("2 seconds")
      add("never", 1_000)
      yield* watch.close
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(expired, [])
    }))
})
