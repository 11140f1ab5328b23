/** Identifies a virtual connection by reference: two objects are two connections, even with equal contents. */
export type Connection = object

/**
 * Gives virtual connections access to PGlite's only session, one at a time, in the order of their requests. A
 * connection keeps the session for a whole transaction. A connection that waits longer than the timeout does not get
 * it.
 */
export class ConnectionQueue {
  readonly #timeoutMs: number
  readonly #waiting: Array<{ readonly connection: Connection; readonly settle: (acquired: boolean) => void }> = []
  #holder: Connection | undefined

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  isHeldBy(connection: Connection): boolean {
    return this.#holder === connection
  }

  /** Acquires the session. Returns at once if the connection already holds it. Resolves to false on a timeout. */
  acquire(connection: Connection): Promise<boolean> {
    if (this.#holder === undefined) this.#holder = connection
    if (this.#holder === connection) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.findIndex((waiter) => waiter.settle === settle), 1)
        resolve(false)
      }, this.#timeoutMs)
      const settle = (acquired: boolean): void => {
        clearTimeout(timer)
        resolve(acquired)
      }
      this.#waiting.push({ connection, settle })
    })
  }

  /** Passes the session to the next connection in the queue. If `connection` is itself in the queue, removes it. */
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
