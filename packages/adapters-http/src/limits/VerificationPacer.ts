/** Maximum number of verifications per second. One takes about 0.3 ms of processor time. */
const perSecond = 200

/** Milliseconds between two batches of waiting verifications. */
const interval = 50

const perInterval = perSecond * interval / 1_000

/** Maximum wait of a verification in milliseconds. */
const maxWait = 2_000

/** Maximum number of waiting verifications. */
const maxWaiting = 1_024

interface Waiting {
  readonly at: number
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * Limits the rate at which tokens are verified, so that a flood of invalid tokens takes little processor time. The
 * newest token is verified first, so that a new valid token does not wait long.
 */
export class VerificationPacer {
  readonly #waiting: Array<Waiting> = []
  #started = 0
  #isTicking = false

  /** Starts a verification now or within 2 s, or rejects it. */
  verify(start: () => void, refuse: () => void): void {
    this.#startTimer()
    if (this.#started < perInterval) {
      this.#started += 1
      return start()
    }
    this.#waiting.push({ at: performance.now(), start, refuse })
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()?.refuse()
  }

  #startTimer(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    setTimeout(() => this.#startWaiting(), interval)
  }

  #startWaiting(): void {
    this.#isTicking = false
    // Start the newest before rejecting the expired: after a pause of the process, all waiting ones may have expired.
    const next = this.#waiting.splice(-perInterval).toReversed()
    this.#started = next.length
    if (next.length > 0) this.#startTimer()
    for (const { start } of next) start()
    const expired = performance.now() - maxWait
    const recent = this.#waiting.findIndex(({ at }) => at > expired)
    for (const { refuse } of this.#waiting.splice(0, recent < 0 ? this.#waiting.length : recent)) refuse()
  }
}
