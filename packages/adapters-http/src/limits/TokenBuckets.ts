/** A token bucket. It holds whole tokens; the time since `refilledAt` counts towards the next one. */
interface Bucket {
  tokens: number
  refilledAt: number
}

/** One request to take tokens. Times are in milliseconds. */
export interface Taking {
  readonly key: string
  readonly tokens: number
  /** The capacity of the bucket. */
  readonly limit: number
  /** Time in which one token is added. */
  readonly refillMs: number
  /** If true, a bucket may be overdrawn. */
  readonly allowOverflow: boolean
}

/**
 * Token buckets by key, at most `capacity` of them. A bucket that was not used for as long as it takes to fill is forgotten, because a
 * full bucket equals a new one. The buckets are in two generations: the ones used since the last rotation, and the ones used before it.
 * A rotation forgets the older generation. It happens when the longest time to fill has passed, or when the younger generation has half
 * of the capacity. A caller could therefore only regain tokens by using more than half of the capacity in other keys.
 */
export class TokenBuckets {
  readonly #half: number
  #young = new Map<string, Bucket>()
  #old = new Map<string, Bucket>()
  #rotatedAt = Number.NEGATIVE_INFINITY
  #longestMs = 0

  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2)
  }

  /** Number of buckets in memory. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  /**
   * Refills the bucket of a key and takes tokens from it, if it has enough. Returns the tokens that remain, negative if it has too few, and
   * the time since the last refill.
   */
  take({ allowOverflow, key, limit, refillMs, tokens }: Taking, now: number): readonly [number, number] {
    this.#longestMs = Math.max(this.#longestMs, limit * refillMs)
    // The clock may have been set back.
    if (now < this.#rotatedAt) this.#rotatedAt = now
    if (now - this.#rotatedAt >= this.#longestMs || this.#young.size >= this.#half) this.#rotate(now)
    const bucket = this.#find(key) ?? { tokens: limit, refilledAt: now }
    this.#young.set(key, bucket)
    if (now < bucket.refilledAt) bucket.refilledAt = now
    const added = Math.floor((now - bucket.refilledAt) / refillMs)
    if (added > 0) {
      bucket.tokens = Math.min(limit, bucket.tokens + added)
      bucket.refilledAt += added * refillMs
    }
    if (bucket.tokens >= limit) bucket.refilledAt = now
    const remaining = bucket.tokens - tokens
    if (allowOverflow || remaining >= 0) bucket.tokens = remaining
    return [remaining, Math.max(0, now - bucket.refilledAt)]
  }

  #find(key: string): Bucket | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    this.#old.delete(key)
    return old
  }

  #rotate(now: number): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#rotatedAt = now
  }
}
