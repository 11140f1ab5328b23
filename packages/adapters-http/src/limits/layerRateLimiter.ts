import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TokenBuckets } from "./TokenBuckets.ts"

/** Maximum number of buckets in memory. One takes about 150 bytes. */
const capacity = 200_000

/** A bounded store of token buckets in memory. The store of the library keeps every bucket forever. */
const layerBucketStore: Layer.Layer<RateLimiter.RateLimiterStore> = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.map(RateLimiter.RateLimiterStore, (unbounded) => {
    const buckets = new TokenBuckets(capacity)
    return RateLimiter.RateLimiterStore.of({
      ...unbounded,
      tokenBucket: ({ refillRate, ...taking }) =>
        Effect.clockWith((clock) =>
          Effect.sync(() =>
            buckets.take({ ...taking, refillMs: Duration.toMillis(refillRate) }, clock.currentTimeMillisUnsafe())
          )
        )
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))

/** A rate limiter with token buckets in bounded memory. */
export const layerRateLimiter: Layer.Layer<RateLimiter.RateLimiter> = Layer.provide(RateLimiter.layer, layerBucketStore)
