import { type Duration, Effect, Fiber, type Scope } from "effect"

/** A request or a response that can be aborted. */
interface Abortable {
  readonly abort: () => void
}

/** The active requests. Closing the API waits for them. */
export class ActiveRequests {
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  readonly #running = new Set<Abortable>()
  #isClosing = false
  #onIdle: () => void = () => undefined

  /** True if new requests are rejected. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Tracks a request until `remove` is called with it. */
  add(request: Abortable): void {
    this.#running.add(request)
  }

  /** Stops tracking a request. Call this after the response was sent. */
  remove(request: Abortable): void {
    this.#running.delete(request)
    this.#notifyIfIdle()
  }

  /** Tracks the request of the current fiber until its scope closes, which is after the response was sent. */
  readonly track: Effect.Effect<void, never, Scope.Scope> = Effect.withFiber((fiber) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        this.#fibers.add(fiber)
      }),
      () =>
        Effect.sync(() => {
          this.#fibers.delete(fiber)
          this.#notifyIfIdle()
        })
    )
  )

  /** Rejects all new requests. */
  readonly refuseNew: Effect.Effect<void> = Effect.sync(() => {
    this.#isClosing = true
  })

  /** Waits until every request has been answered. Interrupts the remaining requests after the timeout. */
  drain(timeout: Duration.Input): Effect.Effect<void> {
    return Effect.timeoutOrElse(this.#idle, { duration: timeout, orElse: () => this.interruptAll })
  }

  /** Interrupts all requests, and waits until they have ended. */
  readonly interruptAll: Effect.Effect<void> = Effect.suspend(() => {
    for (const request of this.#running) request.abort()
    return Effect.andThen(Fiber.interruptAll([...this.#fibers]), this.#idle)
  })

  readonly #idle: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.#isIdle) return resume(Effect.void)
    this.#onIdle = () => resume(Effect.void)
  })

  get #isIdle(): boolean {
    return this.#fibers.size + this.#running.size === 0
  }

  #notifyIfIdle(): void {
    if (this.#isIdle) this.#onIdle()
  }
}
