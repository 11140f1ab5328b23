import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { type Taking, TokenBuckets } from "../../src/limits/TokenBuckets.ts"

const bucket = { tokens: 1, limit: 100, refillMs: 20 }

const steps = fc.array(
  fc.record({
    wait: fc.oneof(fc.nat(40), fc.nat(5000)),
    key: fc.constantFrom("a", "b", "c"),
    tokens: fc.integer({ min: 1, max: 3 })
  }),
  { maxLength: 60 }
)

describe("TokenBuckets", () => {
  it.effect("counts like the store of the library, which keeps every bucket", () =>
    Effect.gen(function*() {
      yield* Effect.promise(() =>
        fc.assert(fc.asyncProperty(steps, fc.integer({ min: 1, max: 6 }), (taken, limit) =>
          Effect.gen(function*() {
            const buckets = new TokenBuckets(1000)
            const { tokenBucket } = yield* RateLimiter.RateLimiterStore
            let now = 0
            for (const { wait, ...one } of taken) {
              yield* TestClock.adjust(wait)
              now += wait
              const taking: Taking = { ...one, limit, refillMs: 100 }
              const refillRate = Duration.millis(100)
              const expected = yield* tokenBucket({ ...one, limit, refillRate, allowOverflow: false })
              assert.deepStrictEqual(buckets.take(taking, now), expected)
            }
          }).pipe(
            Effect.provide([RateLimiter.layerStoreMemory, TestClock.layer()], { local: true }),
            Effect.runPromise
          )))
      )
    }))

  it("keeps a bucket until it is full again, and then forgets it", () => {
    const buckets = new TokenBuckets(1000)
    for (let count = 0; count < 100; count++) buckets.take({ ...bucket, key: "mine" }, 0)
    assert.isBelow(buckets.take({ ...bucket, key: "mine" }, 19)[0], 0)
    for (let now = 0; now < 20_000; now += 100) buckets.take({ ...bucket, key: String(now) }, now)
    assert.isBelow(buckets.size, 50, "two generations of 2 s, one key each 100 ms")
  })

  it("never has more buckets than its capacity, however many keys there are at one time", () => {
    const buckets = new TokenBuckets(1000)
    let most = 0
    for (let index = 0; index < 200_000; index++) {
      buckets.take({ ...bucket, key: String(index) }, 0)
      most = Math.max(most, buckets.size)
    }
    assert.isAtMost(most, 1000)
  })

  it("a key in use keeps its bucket while others come and go", () => {
    const buckets = new TokenBuckets(1000)
    const statuses = Array.from({ length: 300 }, (_, round) => {
      for (let index = 0; index < 400; index++) buckets.take({ ...bucket, key: `${round}.${index}` }, 0)
      return buckets.take({ ...bucket, key: "mine" }, 0)[0] >= 0
    })
    assert.strictEqual(statuses.filter(Boolean).length, 100)
  })
})
