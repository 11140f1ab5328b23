/**
 * Maximum number of refusals per second that are answered without delay. More would take processor time that admitted
 * requests need.
 */
const perSecond = 1_000

/** Interval in milliseconds at which held refusals are answered. */
const interval = 50

/** Maximum time in milliseconds for which a refusal is held. */
const maxHold = 2_000

/** Maximum number of held refusals. Further ones are answered without delay. */
const maxHeld = 4_096

interface Held {
  readonly at: number
  readonly answer: () => void
}

/**
 * Answers refusals at a limited rate. Without this limit, a client that ignores `Retry-After` and repeats each refused
 * request at once would keep the server busy with refusals only.
 */
export class RefusalPacer {
  readonly #held: Array<Held> = []
  #answered = 0
  #isTicking = false

  /** Answers a refusal now, or holds it for at most 2 s. */
  refuse(answer: () => void): void {
    this.#startTimer()
    if (this.#answered < perSecond * interval / 1_000 || this.#held.length >= maxHeld) {
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
    this.#answered = 0
    const expired = performance.now() - maxHold
    const late = this.#held.findIndex(({ at }) => at > expired)
    const count = Math.max(late < 0 ? this.#held.length : late, perSecond * interval / 1_000)
    for (const { answer } of this.#held.splice(0, count)) {
      this.#answered += 1
      answer()
    }
    if (this.#answered > 0) this.#startTimer()
  }
}
