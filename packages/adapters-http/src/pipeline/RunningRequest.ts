import { meterFiber } from "@lastro/domain/adapters"
import { type AccessClaims } from "@lastro/domain/identity"
import { Clock, Context, Duration, Effect, Exit, type Fiber, type Stream } from "effect"
import { type Slot } from "../admission/Slot.ts"

/** Maximum wait of an aborted request for the cleanup of its work. */
const cleanupTime = Duration.seconds(2)

/** Returns the monotonic time of a clock in milliseconds. */
export const monotonicMillisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** A response that has not been sent yet. */
export interface Outgoing {
  readonly status: number
  /** Header values by lower-case name. */
  readonly headers: Record<string, string>
  /** The text or its bytes. Undefined if the response has no body. For HEAD, only the headers are sent. */
  readonly text: string | Uint8Array<ArrayBuffer> | undefined
  /** The body in chunks, instead of `text`. The stream reads nothing and holds no resources until it is run. */
  readonly stream?: Stream.Stream<Uint8Array<ArrayBuffer>>
}

/** The parts of a request that its work and its time limit use. */
export interface RequestParts {
  /** Maximum time of the request in milliseconds, including the wait for its slot. */
  readonly timeLimit: number
  readonly slot: Slot | undefined
  readonly clock: Clock.Clock
  readonly deadlines: Deadlines
  /** Makes the response that is sent if the deadline passes. */
  readonly onTimeout: Effect.Effect<Outgoing>
  /** Called once at the end of the request, with the response or with the reason why there is none. */
  readonly onSettled: (exit: Exit.Exit<Outgoing>) => void
  /** Called once when the work of the request has ended, with its processor time in milliseconds. */
  readonly onEnded?: (busy_ms: number) => void
}

/** One of this many requests is measured and counts for all of them, because measuring takes processor time. */
const measureEvery = 8

let startedRequests = 0

/**
 * A request in progress. Its work runs in one fiber. At the deadline, the response is sent and the work is interrupted.
 * The response does not wait for the cleanup of the work.
 */
export class RunningRequest {
  readonly #timeLimit: number
  #deadline: number
  /** Undefined after the work has ended. */
  #parts: RequestParts | undefined
  #fiber: Fiber.Fiber<Outgoing> | undefined
  #cleanup: Fiber.Fiber<void> | undefined
  #isSettled = false
  /** Returns the processor time of the work in milliseconds. Undefined if the request is not measured. */
  #readBusy: (() => number) | undefined
  /** The claims of the verified token. Undefined before the verification, and without a token. */
  claims: AccessClaims | undefined

  constructor(parts: RequestParts) {
    const { clock, slot, timeLimit } = parts
    this.#timeLimit = timeLimit
    this.#deadline = monotonicMillisOf(clock) - (slot?.waited ?? 0) + timeLimit
    this.#parts = parts
  }

  /** The deadline of the response, in monotonic milliseconds. */
  get deadline(): number {
    return this.#deadline
  }

  /** Returns whether the response is known, or there will be none. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Restarts the time limit at `waitEnd`, the end of a wait that the client requested. */
  postpone(waitEnd: number): void {
    this.#deadline = Math.max(this.#deadline, waitEnd + this.#timeLimit)
  }

  start<R>(work: Effect.Effect<Outgoing, never, R>, context: Context.Context<R>): void {
    const fiber = this.#fork(work, context)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return this.#end(exit)
    this.#fiber = fiber
    this.#parts?.deadlines.add(this, this.#parts.clock)
    fiber.addObserver((exit) => this.#end(exit))
  }

  #fork<R>(work: Effect.Effect<Outgoing, never, R>, context: Context.Context<R>): Fiber.Fiber<Outgoing> {
    const clock = this.#parts?.clock
    if (clock === undefined || startedRequests++ % measureEvery !== 0) return Effect.runForkWith(context)(work)
    const begun = clock.monotonicTimeNanosUnsafe()
    const fiber = Effect.runForkWith(context)(work)
    const first_ms = Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e6
    const readLater = meterFiber(fiber, () => clock.monotonicTimeNanosUnsafe())
    this.#readBusy = () => (first_ms + readLater()) * measureEvery
    return fiber
  }

  /**
   * Interrupts the work, for example because the client has disconnected. The request settles when the work has ended.
   */
  abort(): void {
    const parts = this.#parts
    if (this.#isSettled || parts === undefined) return
    parts.deadlines.remove(this)
    this.#interrupt(parts)
  }

  /** Responds that the time limit has passed, and interrupts the work. */
  expire(): void {
    const parts = this.#parts
    if (this.#isSettled || parts === undefined) return
    this.#isSettled = true
    Effect.runFork(parts.onTimeout).addObserver(parts.onSettled)
    this.#interrupt(parts)
  }

  /** Interrupts the work. Releases the slot when the work has ended, or after `cleanupTime`. */
  #interrupt({ clock }: RequestParts): void {
    this.#fiber?.interruptUnsafe()
    if (this.#parts === undefined || this.#cleanup !== undefined) return
    this.#cleanup = Effect.runForkWith(Context.make(Clock.Clock, clock))(Effect.sleep(cleanupTime))
    this.#cleanup.addObserver(() => this.#end(Exit.interrupt()))
  }

  #end(exit: Exit.Exit<Outgoing>): void {
    const parts = this.#parts
    if (parts === undefined) return
    const cleanup = this.#cleanup
    // V8 may keep a removed element of a `Set` until the next major garbage collection. Drop the references to the
    // request and its response now.
    this.#parts = this.#fiber = this.#cleanup = undefined
    cleanup?.interruptUnsafe()
    parts.deadlines.remove(this)
    parts.slot?.release()
    parts.onEnded?.(this.#readBusy?.() ?? 0)
    if (this.#isSettled) return
    this.#isSettled = true
    parts.onSettled(exit)
  }
}

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
