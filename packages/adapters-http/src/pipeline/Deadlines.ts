import { Clock, Context, Effect, Exit, type Fiber } from "effect"
import { type RunningRequest } from "./RunningRequest.ts"

/** Returns the monotonic time of a clock in milliseconds. */
export const monotonicMillisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/**
 * The deadlines of the running requests of a server. One timer serves all of them. All requests have the same time
 * limit, so the timer runs about once per time limit, not once per request.
 */
export class Deadlines {
  readonly #running = new Set<RunningRequest>()
  #timer: Fiber.Fiber<void> | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /** Expires a request at its deadline, unless `remove` is called before. */
  add(request: RunningRequest, clock: Clock.Clock): void {
    this.#running.add(request)
    if (this.#timer === undefined || request.deadline < this.#wakesAt) this.#sleepUntil(request.deadline, clock)
  }

  /** Removes a request that has ended. */
  remove(request: RunningRequest): void {
    this.#running.delete(request)
    // Without requests, stop the timer, because it would keep the process alive.
    if (this.#running.size === 0) this.#stop()
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
    for (const request of this.#running) {
      if (request.deadline > now) continue
      this.#running.delete(request)
      request.expire()
    }
    let next = Number.POSITIVE_INFINITY
    for (const { deadline } of this.#running) next = Math.min(next, deadline)
    if (next < Number.POSITIVE_INFINITY && this.#timer === undefined) this.#sleepUntil(next, clock)
  }
}
