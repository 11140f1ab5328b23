/** Maximum number of verifications per second. One takes about 0.3 ms of processor time. */
const perSecond = 200

/** Interval in milliseconds at which waiting verifications start. */
const interval = 50

const perInterval = perSecond * interval / 1_000

/** Maximum time in milliseconds for which a verification waits. */
const maxWait = 2_000

/** Maximum number of waiting verifications. */
const maxWaiting = 1_024

interface Waiting {
  readonly at: number
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * Starts verifications of tokens at a limited rate, the newest first. So a flood of invalid tokens takes little
 * processor time, and a valid token among them is soon verified.
 */
export class VerificationPacer {
  readonly #waiting: Array<Waiting> = []
  #started = 0
  #isTicking = false

  /** Starts a verification now or within 2 s, or refuses it. */
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
    // A pause of the process must not refuse the newest ones, so they start before the expired ones are refused.
    const next = this.#waiting.splice(-perInterval).toReversed()
    this.#started = next.length
    if (next.length > 0) this.#startTimer()
    for (const { start } of next) start()
    const expired = performance.now() - maxWait
    const recent = this.#waiting.findIndex(({ at }) => at > expired)
    for (const { refuse } of this.#waiting.splice(0, recent < 0 ? this.#waiting.length : recent)) refuse()
  }
}
