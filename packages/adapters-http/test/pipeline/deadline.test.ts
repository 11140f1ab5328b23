import { assert, describe, it } from "@effect/vitest"
import { PartnerRepository } from "@lastro/domain/partner"
import { storeRootPartner } from "@lastro/testkit"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { codeOf, type Reply } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, type TestOptions, withServer } from "../harness.ts"
import { recordStatusWatch } from "../mount/recordStatusWatch.ts"
import { givenOpened, givenVoice } from "../origination.ts"

/** Makes every list of partners run this effect first. */
const listing = (first: Effect.Effect<void>) =>
  Layer.effect(
    PartnerRepository,
    Effect.map(PartnerRepository, (partners) =>
      PartnerRepository.of({
        ...partners,
        list: (...asked) => Effect.andThen(first, partners.list(...asked))
      }))
  )

const pause = TestClock.withLive(Effect.sleep("5 millis"))

/**
 * Advances the clock step by step, once `begun` has ended, until a request has its response. Returns the response and
 * the seconds that passed.
 */
const answerOf = Effect.fnUntraced(function*<R>(asked: Effect.Effect<Reply, never, R>, begun: Effect.Effect<void>) {
  const reply = yield* Effect.forkChild(asked)
  yield* begun
  let seconds = 0
  for (; seconds < 120; seconds++) {
    for (let look = 0; look < 10 && reply.pollUnsafe() === undefined; look++) yield* pause
    if (reply.pollUnsafe() !== undefined) break
    yield* TestClock.adjust("1 second")
  }
  return { seconds, reply: yield* Fiber.join(reply) }
})

/** Requests a list of partners whose read hangs. */
const hanging = (hang: Effect.Effect<void>, options: TestOptions = {}) => {
  const begun = Deferred.makeUnsafe<void>()
  const listPartners = Effect.gen(function*() {
    const server = yield* Server
    const { token } = yield* givenCaller(yield* storeRootPartner())
    return {
      ...yield* answerOf(server.send("/api/v1/partners", { token }), Deferred.await(begun)),
      logs: server.logs
    }
  })
  return withServer(listPartners, {
    instead: listing(Effect.andThen(Deferred.succeed(begun, undefined), hang)),
    ...options
  })
}

describe("the time limit of a request", () => {
  it.effect("ends a request that hangs with 503 and Retry-After, and interrupts its work", () =>
    Effect.gen(function*() {
      const interrupted = Deferred.makeUnsafe<void>()
      const hang = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const { reply, seconds } = yield* hanging(hang)
      assert.deepStrictEqual([reply.status, codeOf(reply)], [503, "SERVICE_UNAVAILABLE"])
      assert.strictEqual(reply.headers.get("retry-after"), "1")
      assert.isString(reply.headers.get("x-request-id"))
      assert.strictEqual(seconds, 15)
      yield* Deferred.await(interrupted)
    }))

  it.effect("holds even if the work cannot be interrupted", () =>
    Effect.gen(function*() {
      const { reply, seconds } = yield* hanging(Effect.uninterruptible(Effect.never), { requestTimeout: "2 seconds" })
      assert.deepStrictEqual([reply.status, seconds], [503, 2])
    }))

  it.effect("holds even if undoing the work hangs", () =>
    Effect.gen(function*() {
      const hang = Effect.onInterrupt(Effect.never, () => Effect.never)
      const { reply, seconds } = yield* hanging(hang, { requestTimeout: "3 seconds" })
      assert.deepStrictEqual([reply.status, seconds], [503, 3])
    }))

  it.effect("logs the request with its id, and no more than a warning", () =>
    Effect.gen(function*() {
      const { logs } = yield* hanging(Effect.never)
      const lines = logs.filter((line) => line.includes("exceeded its time limit"))
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0] ?? "", /request_id/)
      assert.match(lines[0] ?? "", /WARN/)
    }))

  it.effect("does not shorten a long poll", () => {
    const { begun, layer } = recordStatusWatch()
    return withServer(
      Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const { id } = yield* givenOpened(voice)
        const { reply, seconds } = yield* answerOf(voice.status(id, "?wait=30"), Effect.promise(() => begun))
        assert.deepStrictEqual([reply.status, seconds], [200, 30])
      }),
      { requestTimeout: "5 seconds", instead: layer }
    )
  })
})
