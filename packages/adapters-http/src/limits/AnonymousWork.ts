import { type RateLimit } from "./RateLimit.ts"
import { TokenBuckets } from "./TokenBuckets.ts"

/**
 * The default rate limit per network for documents, and for requests with an invalid token. A document takes about as
 * much processor time as a read.
 */
export const defaultAnonymousLimit: RateLimit = { rate: 20, burst: 100 }

/** Maximum numbers of documents that are sent at the same time, to one network and to all networks. */
const documentsInFlight = { network: 16, total: 256 }

/** Maximum number of networks whose buckets are kept. */
const capacity = 100_000

/** Limits the work for unidentified callers per network: an IPv4 address or an IPv6 /64 network. */
export class AnonymousWork {
  readonly #limit: RateLimit
  readonly #buckets = new TokenBuckets(capacity)
  readonly #inFlight = new Map<string, number>()
  #total = 0

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /**
   * Starts to send a document. Returns a function to call once after the response, or undefined if a limit is reached.
   */
  startDocument(network: string): (() => void) | undefined {
    const active = this.#inFlight.get(network) ?? 0
    const isFull = active >= documentsInFlight.network || this.#total >= documentsInFlight.total
    if (this.#limit !== "off" && isFull) return undefined
    if (!this.#take(`document ${network}`, 1)) return undefined
    this.#inFlight.set(network, active + 1)
    this.#total += 1
    return () => {
      this.#total -= 1
      const remaining = (this.#inFlight.get(network) ?? 0) - 1
      if (remaining > 0) this.#inFlight.set(network, remaining)
      else this.#inFlight.delete(network)
    }
  }

  /** Counts an unknown access token of a network. Returns false if the network has sent too many invalid ones. */
  takeToken(network: string): boolean {
    return this.#take(`token ${network}`, 1)
  }

  /** Stops counting an access token, because it was valid. */
  returnToken(network: string): void {
    this.#take(`token ${network}`, -1)
  }

  /** Takes units from a bucket. If it has too few, takes none and returns false. */
  #take(key: string, units: number): boolean {
    if (this.#limit === "off") return true
    const { burst, rate } = this.#limit
    const taking = { key, tokens: units, limit: burst, refillMs: 1_000 / rate }
    return this.#buckets.take(taking, performance.now())[0] >= 0
  }
}
