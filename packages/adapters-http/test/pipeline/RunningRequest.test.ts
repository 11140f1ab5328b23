import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { type Slot } from "../../src/admission/Slot.ts"
import { Deadlines, type Outgoing, RunningRequest } from "../../src/pipeline/RunningRequest.ts"

const timeLimit = 1_000

const timedOut: Outgoing = { status: 503, headers: {}, text: undefined }

const nothing = () => undefined

/** A slot for which a request has waited. */
const slotAfter = (waited: number): Slot => ({
  waited,
  claim: nothing,
  isClaimed: () => true,
  release: nothing,
  pause: nothing,
  resume: (onAdmitted) => onAdmitted(),
  identify: () => false
})

/** Starts requests whose names are noted when they expire. */
const given = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const deadlines = new Deadlines()
    const expired: Array<string> = []
    const start = (name: string, work: Effect.Effect<Outgoing> = Effect.never, waited = 0) => {
      const request = new RunningRequest({
        timeLimit,
        slot: slotAfter(waited),
        clock,
        deadlines,
        onTimeout: Effect.succeed(timedOut),
        onSettled: (exit) => {
          if (Exit.isSuccess(exit) && exit.value === timedOut) expired.push(name)
        }
      })
      request.start(work, Context.make(Clock.Clock, clock))
      return request
    }
    return { deadlines, expired, start, now: () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n) }
  })
)

describe("the deadline of a running request", () => {
  it.effect("expires each request once", () =>
    Effect.gen(function*() {
      const { expired, start } = yield* given
      start("slow")
      yield* TestClock.adjust("400 millis")
      start("later")
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
      const { expired, start } = yield* given
      start("old")
      start("waited in the queue", Effect.never, 700)
      yield* TestClock.adjust("300 millis")
      assert.deepStrictEqual(expired, ["waited in the queue"])
      yield* TestClock.adjust("700 millis")
      assert.deepStrictEqual(expired, ["waited in the queue", "old"])
    }))

  it.effect("waits for a postponed deadline", () =>
    Effect.gen(function*() {
      const { expired, now, start } = yield* given
      start("long poll").postpone(now() + 5_000)
      yield* TestClock.adjust("5999 millis")
      assert.deepStrictEqual(expired, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(expired, ["long poll"])
    }))

  it.effect("does not expire a request that has ended, and expires nothing after the close", () =>
    Effect.gen(function*() {
      const { deadlines, expired, start } = yield* given
      const response = yield* Deferred.make<Outgoing>()
      const answered = start("answered", Deferred.await(response))
      yield* Deferred.succeed(response, { status: 200, headers: {}, text: "done" })
      yield* Effect.yieldNow
      assert.isTrue(answered.isSettled)
      yield* TestClock.adjust("2 seconds")
      start("never")
      yield* deadlines.close
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(expired, [])
    }))
})
