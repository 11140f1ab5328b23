/** Whoever has the turn; each connection is one. */
export type Holder = object

/**
 * Turns on PGlite's one session, first come, first served. A connection keeps its turn over a whole transaction, and
 * whoever waits longer than `patience` milliseconds is sent away.
 */
export class Turns {
  readonly #patience: number
  readonly #waiting: Array<{ readonly holder: Holder; readonly give: (given: boolean) => void }> = []
  #holder: Holder | undefined

  constructor(patience: number) {
    this.#patience = patience
  }

  /** Whether this one has the turn now. */
  has(holder: Holder): boolean {
    return this.#holder === holder
  }

  /** Takes the turn, or keeps it; false when it did not come within the patience. */
  take(holder: Holder): Promise<boolean> {
    if (this.#holder === undefined) this.#holder = holder
    if (this.#holder === holder) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.findIndex((one) => one.give === give), 1)
        resolve(false)
      }, this.#patience)
      const give = (given: boolean): void => {
        clearTimeout(timer)
        resolve(given)
      }
      this.#waiting.push({ holder, give })
    })
  }

  /** Passes the turn on, if this one has it; if it waits for it, it no longer does. */
  leave(holder: Holder): void {
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      if (this.#waiting[index]?.holder === holder) this.#waiting.splice(index, 1)[0]?.give(false)
    }
    if (this.#holder !== holder) return
    const next = this.#waiting.shift()
    this.#holder = next?.holder
    next?.give(true)
  }
}
