import { Clock, Context, Duration, Effect, Exit, type Fiber } from "effect"
import { type Slot } from "../admission/Slot.ts"
import { type Deadline } from "./Deadline.ts"
import { type DeadlineWatch, type Watched } from "./DeadlineWatch.ts"
import { type Outgoing } from "./respond.ts"

/** Maximum time that an aborted request waits until its work has cleaned up. */
const cleanupTime = Duration.seconds(2)

/** The parts of a request that both its work and its time limit use. */
export interface RequestParts {
  readonly deadline: Deadline
  readonly slot: Slot | undefined
  readonly clock: Clock.Clock
  readonly watch: DeadlineWatch
  /** Makes the response that is sent if the deadline passes. */
  readonly onTimeout: Effect.Effect<Outgoing>
  /** Called once when the request ends: with the response, or with the reason why there is none. */
  readonly onSettled: (exit: Exit.Exit<Outgoing>) => void
}

/**
 * A request in progress. Its work runs in one fiber. At the deadline, the response is sent and the work is interrupted;
 * the response does not wait until the work has cleaned up.
 */
export class RunningRequest implements Watched {
  readonly deadline: Deadline
  /** Undefined when the work has ended. */
  #parts: RequestParts | undefined
  #fiber: Fiber.Fiber<Outgoing> | undefined
  #cleanup: Fiber.Fiber<void> | undefined
  #isSettled = false

  constructor(parts: RequestParts) {
    this.deadline = parts.deadline
    this.#parts = parts
  }

  /** Returns whether the request is over: its response is known, or there will be none. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Runs the work of the request. */
  start<R>(work: Effect.Effect<Outgoing, never, R>, context: Context.Context<R>): void {
    const fiber = Effect.runForkWith(context)(work)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return this.#end(exit)
    this.#fiber = fiber
    this.#parts?.watch.add(this, this.#parts.clock)
    fiber.addObserver((exit) => this.#end(exit))
  }

  /** Interrupts the work, for example because the client has disconnected. The request settles when the work has ended. */
  abort(): void {
    const parts = this.#parts
    if (this.#isSettled || parts === undefined) return
    parts.watch.remove(this)
    this.#interrupt(parts)
  }

  expire(): void {
    const parts = this.#parts
    if (this.#isSettled || parts === undefined) return
    this.#isSettled = true
    Effect.runFork(parts.onTimeout).addObserver(parts.onSettled)
    this.#interrupt(parts)
  }

  /** Interrupts the work. The slot is released when the work has ended, or after `cleanupTime` at the latest. */
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
    // V8 may keep an element that was removed from a `Set` until the next major garbage collection. Release the request
    // and its response now.
    this.#parts = this.#fiber = this.#cleanup = undefined
    cleanup?.interruptUnsafe()
    parts.watch.remove(this)
    parts.slot?.release()
    if (this.#isSettled) return
    this.#isSettled = true
    parts.onSettled(exit)
  }
}
