import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { pollForever } from "../../src/database/pollForever.ts"

/** Runs rounds for a time, with a batch for each round. Returns the number of rounds and the logged warnings. */
const runRounds = Effect.fnUntraced(function*(batch: (round: number) => Effect.Effect<number, Error>, seconds: number) {
  let rounds = 0
  const warnings: Array<unknown> = []
  const polling = pollForever({
    processBatch: Effect.suspend(() => batch(++rounds)),
    batchSize: 1,
    interval: "1 second",
    failureMessage: "the batch failed",
    timeout: "10 seconds"
  })
  const fiber = yield* polling.pipe(
    Effect.provide(
      Logger.layer([Logger.make(({ message }) => warnings.push(Array.isArray(message) ? message[0] : message))])
    ),
    Effect.forkChild({ startImmediately: true })
  )
  // Batches that need no time run now.
  yield* Effect.repeat(Effect.yieldNow, { times: 100 })
  for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
  yield* Fiber.interrupt(fiber)
  return { rounds, warnings }
})

describe("pollForever", () => {
  it.effect("T59 interrupts a batch that takes too long, logs it and goes on", () =>
    Effect.gen(function*() {
      const { rounds, warnings } = yield* runRounds((round) => round === 2 ? Effect.never : Effect.succeed(0), 20)
      // One round at the start, one until 11 s, then one each second from 12 s.
      assert.strictEqual(rounds, 2 + 9)
      assert.deepStrictEqual(warnings, ["the batch failed"])
    }))

  it.effect("logs a failed batch and goes on", () =>
    Effect.gen(function*() {
      const { rounds, warnings } = yield* runRounds(() => Effect.fail(new Error("no")), 3)
      assert.strictEqual(rounds, 4)
      assert.deepStrictEqual(new Set(warnings), new Set(["the batch failed"]))
    }))

  it.effect("starts the next batch immediately after a full one", () =>
    Effect.gen(function*() {
      const { rounds } = yield* runRounds((round) => Effect.succeed(round < 5 ? 1 : 0), 0)
      assert.strictEqual(rounds, 5)
    }))
})
