import { type Duration, Effect, Fiber, type Scope } from "effect"

/** The requests that are being answered, so that a close can wait for them. */
export class Underway {
  readonly #requests = new Set<Fiber.Fiber<unknown, unknown>>()
  #isClosing = false
  #whenIdle: () => void = () => undefined

  /** Whether nothing new should begin. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Counts the request that this fiber answers, until its scope closes: then the answer is sent. */
  readonly begin: Effect.Effect<void, never, Scope.Scope> = Effect.withFiber((fiber) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        this.#requests.add(fiber)
      }),
      () =>
        Effect.sync(() => {
          this.#requests.delete(fiber)
          if (this.#requests.size === 0) this.#whenIdle()
        })
    )
  )

  /** Has nothing new begin. */
  readonly close: Effect.Effect<void> = Effect.sync(() => {
    this.#isClosing = true
  })

  /** Waits until every request is answered, and interrupts those that are not after this time. */
  end(patience: Duration.Input): Effect.Effect<void> {
    const idle = Effect.callback<void>((resume) => {
      if (this.#requests.size === 0) return resume(Effect.void)
      this.#whenIdle = () => resume(Effect.void)
    })
    return Effect.timeoutOrElse(idle, {
      duration: patience,
      orElse: () => Effect.suspend(() => Fiber.interruptAll([...this.#requests]))
    })
  }
}
