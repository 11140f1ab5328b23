import { Clock, Context, Effect, Exit, type Fiber } from "effect"
import { type Deadline, monotonicMillisOf } from "./Deadline.ts"

/** A request whose deadline is watched. */
export interface Watched {
  readonly deadline: Deadline
  /** Called once, when the deadline has passed. */
  readonly expire: () => void
}

/**
 * Calls `expire` for each request whose deadline has passed. One timer serves all requests. All requests have the same
 * time limit, so the timer runs about once per time limit instead of once per request.
 */
export class DeadlineWatch {
  readonly #watched = new Set<Watched>()
  #timer: Fiber.Fiber<void> | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /** Watches a request until `remove` is called with it. */
  add(request: Watched, clock: Clock.Clock): void {
    this.#watched.add(request)
    if (this.#timer === undefined || request.deadline.at < this.#wakesAt) this.#sleepUntil(request.deadline.at, clock)
  }

  /** Stops watching a request. */
  remove(request: Watched): void {
    this.#watched.delete(request)
    // Stop the timer if no request is left, because it would keep the process alive.
    if (this.#watched.size === 0) this.#stop()
  }

  /** Stops the timer. Call it when no more requests arrive. */
  readonly close: Effect.Effect<void> = Effect.sync(() => this.#stop())

  #stop(): void {
    const timer = this.#timer
    this.#timer = undefined
    timer?.interruptUnsafe()
  }

  #sleepUntil(at: number, clock: Clock.Clock): void {
    this.#stop()
    this.#wakesAt = at
    const timer = Effect.runForkWith(Context.make(Clock.Clock, clock))(
      Effect.sleep(Math.max(1, at - monotonicMillisOf(clock)))
    )
    this.#timer = timer
    timer.addObserver((exit) => {
      if (this.#timer !== timer || Exit.isFailure(exit)) return
      this.#timer = undefined
      this.#wake(clock)
    })
  }

  #wake(clock: Clock.Clock): void {
    const now = monotonicMillisOf(clock)
    for (const request of this.#watched) {
      if (request.deadline.at > now) continue
      this.#watched.delete(request)
      request.expire()
    }
    let next = Number.POSITIVE_INFINITY
    for (const { deadline } of this.#watched) next = Math.min(next, deadline.at)
    if (next < Number.POSITIVE_INFINITY && this.#timer === undefined) this.#sleepUntil(next, clock)
  }
}
