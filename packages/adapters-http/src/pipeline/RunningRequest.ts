import { Clock, Context, Duration, Effect, Exit, type Fiber } from "effect"
import { type Slot } from "../admission/Slot.ts"
import { type Deadline } from "./Deadline.ts"
import { type DeadlineWatch, type Watched } from "./DeadlineWatch.ts"
import { type Outgoing } from "./respond.ts"

/** Maximum time for which an aborted request waits until its work has been undone. */
const cleanupTime = Duration.seconds(2)

/** The parts of a request that its work and its time limit share. */
export interface RequestParts {
  readonly deadline: Deadline
  readonly slot: Slot | undefined
  readonly clock: Clock.Clock
  readonly watch: DeadlineWatch
  /** The response after the deadline. */
  readonly onTimeout: Effect.Effect<Outgoing>
  /** Called once: with the response, or with the reason why there is none. */
  readonly onSettled: (exit: Exit.Exit<Outgoing>) => void
}

/**
 * A request in progress. Its work runs in one fiber until the deadline. After the deadline, the work is interrupted and the response is
 * sent immediately, while the work is still being undone.
 */
export class RunningRequest implements Watched {
  readonly #parts: RequestParts
  #fiber: Fiber.Fiber<Outgoing> | undefined
  #cleanup: Fiber.Fiber<void> | undefined
  #isSettled = false
  #hasEnded = false

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  get deadline(): Deadline {
    return this.#parts.deadline
  }

  /** Returns whether the request has its response, or will never have one. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Runs the work of the request. */
  start<R>(work: Effect.Effect<Outgoing, never, R>, context: Context.Context<R>): void {
    const fiber = Effect.runForkWith(context)(work)
    this.#fiber = fiber
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return this.#end(exit)
    this.#parts.watch.add(this, this.#parts.clock)
    fiber.addObserver((exit) => this.#end(exit))
  }

  /** Interrupts the work, for example because the client has disconnected. The request settles when the work has ended. */
  abort(): void {
    if (this.#isSettled) return
    this.#parts.watch.remove(this)
    this.#interrupt()
  }

  expire(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    Effect.runFork(this.#parts.onTimeout).addObserver(this.#parts.onSettled)
    this.#interrupt()
  }

  /** Interrupts the work, and gives up its slot at the latest when the time for cleaning up has passed. */
  #interrupt(): void {
    this.#fiber?.interruptUnsafe()
    if (this.#hasEnded || this.#cleanup !== undefined) return
    const context = Context.make(Clock.Clock, this.#parts.clock)
    this.#cleanup = Effect.runForkWith(context)(Effect.sleep(cleanupTime))
    this.#cleanup.addObserver(() => this.#end(Exit.interrupt()))
  }

  #end(exit: Exit.Exit<Outgoing>): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#cleanup?.interruptUnsafe()
    this.#parts.watch.remove(this)
    this.#parts.slot?.release()
    if (this.#isSettled) return
    this.#isSettled = true
    this.#parts.onSettled(exit)
  }
}
