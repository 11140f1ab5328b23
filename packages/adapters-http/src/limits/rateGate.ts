import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { RateLimited } from "../errors/HttpRefusals.ts"
import { type RateLimit } from "./RateLimit.ts"

/** Takes one token from the bucket of `key` and writes the remaining quota to `headers`. Fails if the bucket is empty. */
export type RateGate = (key: string, headers: Record<string, string>) => Effect.Effect<void, RateLimited>

const unlimited: RateGate = () => Effect.void

const seconds = (duration: Duration.Duration): number => Math.ceil(Duration.toSeconds(duration))

/**
 * Makes a rate limiter with one bucket for each key. `name` identifies the rate limiter in the keys of its buckets and in the
 * headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
 */
export const rateGate = (
  name: string,
  limit: RateLimit
): Effect.Effect<RateGate, never, RateLimiter.RateLimiter> =>
  Effect.map(RateLimiter.RateLimiter, (limiter) => limit === "off" ? unlimited : makeGate(limiter, name, limit))

const makeGate = (
  limiter: RateLimiter.RateLimiter,
  name: string,
  { burst, rate }: Exclude<RateLimit, "off">
): RateGate => {
  const window = Duration.millis(burst / rate * 1000)
  const policy = `"${name}";q=${burst};w=${seconds(window)}`
  const writeQuota = (headers: Record<string, string>, remaining: number, reset: Duration.Duration) => {
    headers["ratelimit-policy"] = policy
    headers["ratelimit"] = `"${name}";r=${remaining};t=${seconds(reset)}`
  }
  const bucket = { algorithm: "token-bucket", onExceeded: "fail", window, limit: burst } as const
  return (key, headers) =>
    Effect.matchEffect(limiter.consume({ ...bucket, key: `${name}:${key}` }), {
      onSuccess: ({ remaining, resetAfter }) => Effect.sync(() => writeQuota(headers, remaining, resetAfter)),
      onFailure: ({ reason }) => {
        if (reason._tag === "RateLimitStoreError") return Effect.die(reason)
        writeQuota(headers, 0, reason.retryAfter)
        return Effect.fail(new RateLimited({ retry_after_seconds: Math.max(1, seconds(reason.retryAfter)) }))
      }
    })
}
