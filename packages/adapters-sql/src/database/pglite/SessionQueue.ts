/** A virtual connection, compared by identity. */
export type Connection = object

/**
 * Serializes connections on PGlite's one session, first come, first served. A connection keeps the session for a whole
 * transaction. A wait that exceeds the timeout is refused.
 */
export class SessionQueue {
  readonly #timeoutMs: number
  readonly #waiting: Array<{ readonly connection: Connection; readonly settle: (acquired: boolean) => void }> = []
  #holder: Connection | undefined

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  isHeldBy(connection: Connection): boolean {
    return this.#holder === connection
  }

  /** Acquires the session, or keeps it. Resolves to false on a timeout. */
  acquire(connection: Connection): Promise<boolean> {
    if (this.#holder === undefined) this.#holder = connection
    if (this.#holder === connection) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.findIndex((one) => one.settle === settle), 1)
        resolve(false)
      }, this.#timeoutMs)
      const settle = (acquired: boolean): void => {
        clearTimeout(timer)
        resolve(acquired)
      }
      this.#waiting.push({ connection, settle })
    })
  }

  /** Releases the session to the next connection in the queue. Cancels the wait of a connection that does not hold it. */
  release(connection: Connection): void {
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      if (this.#waiting[index]?.connection === connection) this.#waiting.splice(index, 1)[0]?.settle(false)
    }
    if (this.#holder !== connection) return
    const next = this.#waiting.shift()
    this.#holder = next?.connection
    next?.settle(true)
  }
}
