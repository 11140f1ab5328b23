/** A token bucket. `tokens` is a whole number. The time since `refilledAt` counts toward the next token. */
interface Bucket {
  tokens: number
  refilledAt: number
}

/** A request to take tokens. */
export interface Taking {
  readonly key: string
  readonly tokens: number
  /** The capacity of the bucket. */
  readonly limit: number
  /** Milliseconds in which one token is added. */
  readonly refillMs: number
}

/**
 * Token buckets by key, at most `capacity` of them. A bucket that was unused for long enough to be full is dropped,
 * because a full bucket equals a new one.
 *
 * There are two generations of buckets: those used since the last rotation, and those used before. A rotation drops the
 * older generation. It happens when even an empty bucket would be full again, or when the younger generation has half
 * of the capacity. So a caller can regain tokens early only by using more than half of the capacity for other keys.
 */
export class TokenBuckets {
  readonly #half: number
  #young = new Map<string, Bucket>()
  #old = new Map<string, Bucket>()
  #rotatedAt = Number.NEGATIVE_INFINITY
  /** The longest time in which an empty bucket becomes full, in milliseconds. */
  #longestMs = 0

  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  /**
   * Refills the bucket of a key, and takes tokens if it has enough. Returns the remaining tokens, and the milliseconds
   * since the last refill. If the bucket has too few tokens, takes none and returns a negative number of tokens.
   */
  take({ key, limit, refillMs, tokens }: Taking, now: number): readonly [number, number] {
    this.#longestMs = Math.max(this.#longestMs, limit * refillMs)
    // The clock may have been set back since the last rotation.
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
    if (remaining >= 0) bucket.tokens = remaining
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
