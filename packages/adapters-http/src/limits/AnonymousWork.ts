import { type RateLimit } from "./RateLimit.ts"
import { TokenBuckets } from "./TokenBuckets.ts"

/**
 * The default rate limit, for each network, of documents, and of requests with an invalid token. A document takes about
 * as much processor time as a read.
 */
export const defaultAnonymousLimit: RateLimit = { rate: 20, burst: 100 }

/** Maximum number of documents that are sent to one network at the same time. */
const documentsInFlight = 16

/** Maximum number of networks whose buckets are kept. */
const capacity = 100_000

/** Limits the work for callers that nothing has identified, by network: an IPv4 address or an IPv6 /64 network. */
export class AnonymousWork {
  readonly #limit: RateLimit
  readonly #buckets = new TokenBuckets(capacity)
  readonly #inFlight = new Map<string, number>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /**
   * Starts to send a document. Returns the function to call after the response, or undefined if the network has reached
   * a limit.
   */
  startDocument(network: string): (() => void) | undefined {
    const active = this.#inFlight.get(network) ?? 0
    if (this.#limit !== "off" && active >= documentsInFlight) return undefined
    if (this.#take(`document ${network}`, 1) < 0) return undefined
    this.#inFlight.set(network, active + 1)
    return () => {
      const others = (this.#inFlight.get(network) ?? 0) - 1
      if (others > 0) this.#inFlight.set(network, others)
      else this.#inFlight.delete(network)
    }
  }

  /** Counts an unknown access token of a network. Returns false if the network has sent too many invalid ones. */
  takeToken(network: string): boolean {
    return this.#take(`token ${network}`, 1) >= 0
  }

  /** Stops counting an access token, because it was valid. */
  returnToken(network: string): void {
    this.#take(`token ${network}`, -1)
  }

  /** Takes units from a bucket if it has enough. Returns the number that remain, which is negative if it has too few. */
  #take(key: string, units: number): number {
    if (this.#limit === "off") return Number.POSITIVE_INFINITY
    const { burst, rate } = this.#limit
    const taking = { key, tokens: units, limit: burst, refillMs: 1_000 / rate, allowOverflow: false }
    return this.#buckets.take(taking, performance.now())[0]
  }
}
