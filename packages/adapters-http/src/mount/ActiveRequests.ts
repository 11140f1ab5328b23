import { type Duration, Effect, Fiber, type Scope } from "effect"

/** Tracks active requests, so that closing the API can wait for them. */
export class ActiveRequests {
  readonly #requests = new Set<Fiber.Fiber<unknown, unknown>>()
  #isClosing = false
  #onIdle: () => void = () => undefined

  /** Returns whether new requests are rejected. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Tracks the request of the current fiber until its scope closes, after the response was sent. */
  readonly track: Effect.Effect<void, never, Scope.Scope> = Effect.withFiber((fiber) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        this.#requests.add(fiber)
      }),
      () =>
        Effect.sync(() => {
          this.#requests.delete(fiber)
          if (this.#requests.size === 0) this.#onIdle()
        })
    )
  )

  /** Rejects all new requests. */
  readonly refuseNew: Effect.Effect<void> = Effect.sync(() => {
    this.#isClosing = true
  })

  /** Waits until every request has been answered. Interrupts the remaining requests after the timeout. */
  drain(timeout: Duration.Input): Effect.Effect<void> {
    const idle = Effect.callback<void>((resume) => {
      if (this.#requests.size === 0) return resume(Effect.void)
      this.#onIdle = () => resume(Effect.void)
    })
    return Effect.timeoutOrElse(idle, {
      duration: timeout,
      orElse: () => Effect.suspend(() => Fiber.interruptAll([...this.#requests]))
    })
  }
}
