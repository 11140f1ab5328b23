import { type Clock, Result } from "effect"
import { RateLimited } from "../errors/HttpRefusals.ts"
import { type RateLimit } from "./RateLimit.ts"
import { TokenBuckets } from "./TokenBuckets.ts"

/**
 * Takes one token from the bucket of `key`, and writes the remaining quota to `headers`. Fails if the bucket is empty.
 */
export type RateGate = (
  key: string,
  headers: Record<string, string>,
  clock: Clock.Clock
) => Result.Result<void, RateLimited>

const unlimited: RateGate = () => Result.void

/** Maximum number of buckets of a rate limiter. Each uses about 150 bytes of memory. */
const capacity = 100_000

/**
 * Converts milliseconds to whole seconds, rounded up. Rounds to three decimals first, so that a floating-point error
 * does not add a second.
 */
const seconds = (milliseconds: number): number => Math.ceil(Math.round(Math.max(0, milliseconds) * 1_000) / 1_000_000)

/**
 * Makes a rate limiter with one bucket per key. `name` is its name in the headers `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export const rateGate = (name: string, limit: RateLimit): RateGate =>
  limit === "off" ? unlimited : makeGate(name, limit)

const makeGate = (name: string, { burst, rate }: Exclude<RateLimit, "off">): RateGate => {
  const buckets = new TokenBuckets(capacity)
  const refillMs = 1_000 / rate
  const policy = `"${name}";q=${burst};w=${seconds(burst * refillMs)}`
  const writeQuota = (headers: Record<string, string>, remaining: number, reset: number) => {
    headers["ratelimit-policy"] = policy
    headers["ratelimit"] = `"${name}";r=${remaining};t=${reset}`
  }
  return (key, headers, clock) => {
    const taking = { key, tokens: 1, limit: burst, refillMs }
    const [remaining, elapsed] = buckets.take(taking, clock.currentTimeMillisUnsafe())
    if (remaining >= 0) {
      writeQuota(headers, remaining, seconds((burst - remaining) * refillMs - elapsed))
      return Result.void
    }
    const wait = seconds(-remaining * refillMs - elapsed)
    writeQuota(headers, 0, wait)
    return Result.fail(new RateLimited({ retry_after_seconds: Math.max(1, wait) }))
  }
}
