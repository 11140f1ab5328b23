/**
 * Maximum number of refusals per second that are sent without delay. More would take processor time that admitted
 * requests need.
 */
const perSecond = 1_000

/** Milliseconds between two batches of delayed refusals. */
const interval = 50

const perInterval = perSecond * interval / 1_000

/** Maximum delay of a refusal in milliseconds. */
const maxHold = 2_000

/** Maximum number of delayed refusals. Further ones are sent without delay. */
const maxHeld = 4_096

interface Held {
  readonly at: number
  readonly answer: () => void
}

/**
 * Limits the rate at which refusals are sent. Otherwise, a client that ignores `Retry-After` and repeats every refused
 * request could keep the server busy with refusals.
 */
export class RefusalPacer {
  readonly #held: Array<Held> = []
  #answered = 0
  #isTicking = false

  /** Sends a refusal now, or delays it by at most 2 s. */
  refuse(answer: () => void): void {
    this.#startTimer()
    if (this.#answered < perInterval || this.#held.length >= maxHeld) {
      this.#answered += 1
      return answer()
    }
    this.#held.push({ at: performance.now(), answer })
  }

  #startTimer(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    setTimeout(() => this.#answerHeld(), interval)
  }

  #answerHeld(): void {
    this.#isTicking = false
    const expired = performance.now() - maxHold
    const recent = this.#held.findIndex(({ at }) => at > expired)
    const batch = this.#held.splice(0, Math.max(recent < 0 ? this.#held.length : recent, perInterval))
    this.#answered = batch.length
    for (const { answer } of batch) answer()
    if (batch.length > 0) this.#startTimer()
  }
}
