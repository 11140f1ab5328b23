import { monotonicMillis } from "@lastro/domain/time"
import { Duration, Effect, type Exit, type Fiber } from "effect"

/** The default time limit of a request. */
export const defaultRequestTimeout: Duration.Input = "15 seconds"

/** The time by which a request must have its response. */
export class Deadline {
  readonly #limit: number
  #at: number

  /** `limit` is the time limit in milliseconds, `started` the monotonic time at which it began. */
  constructor(limit: number, started: number) {
    this.#limit = limit
    this.#at = started + limit
  }

  /** Returns the remaining milliseconds. */
  remaining(now: number): number {
    return this.#at - now
  }

  /** Lets the time limit begin again after a wait that the client requested. */
  postpone(waitEnd: number): void {
    this.#at = Math.max(this.#at, waitEnd + this.#limit)
  }
}

/** Waits until a fiber ends or the time has passed. The wait itself ends even if the fiber cannot be interrupted. */
const awaitFiber = <A, E>(
  fiber: Fiber.Fiber<A, E>,
  milliseconds: number
): Effect.Effect<Exit.Exit<A, E> | undefined> =>
  Effect.contextWith((context) =>
    Effect.callback((resume) => {
      const timer = Effect.runForkWith(context)(Effect.sleep(Duration.millis(Math.max(0, milliseconds))))
      const unobserve = fiber.addObserver((exit) => {
        timer.interruptUnsafe()
        resume(Effect.succeed(exit))
      })
      timer.addObserver(() => {
        unobserve()
        resume(Effect.succeed(undefined))
      })
      return Effect.sync(() => {
        unobserve()
        timer.interruptUnsafe()
      })
    })
  )

/** Maximum time in milliseconds for which an aborted request waits until its work has been undone. */
const cleanupMs = 2_000

/**
 * Runs work until its deadline. After the deadline, interrupts the work and continues with `onTimeout` immediately, while the work
 * is still being undone. Calls `onEnd` when the work has ended, or at the latest `cleanupMs` after the deadline.
 */
export const runUntil = <A, R>(
  deadline: Deadline,
  work: Effect.Effect<A, never, R>,
  onTimeout: Effect.Effect<A, never, R>,
  onEnd: () => void
): Effect.Effect<A, never, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkDetach(restore(work), { startImmediately: true })
      const ended = fiber.pollUnsafe()
      if (ended !== undefined) {
        onEnd()
        return yield* ended
      }
      fiber.addObserver(onEnd)
      const wait: Effect.Effect<Exit.Exit<A> | undefined> = Effect.flatMap(
        monotonicMillis,
        (now) =>
          deadline.remaining(now) <= 0
            ? Effect.succeed(undefined)
            : Effect.flatMap(
              awaitFiber(fiber, deadline.remaining(now)),
              (exit) => exit === undefined ? wait : Effect.succeed(exit)
            )
      )
      const undo = Effect.suspend(() => {
        fiber.interruptUnsafe()
        return Effect.andThen(awaitFiber(fiber, cleanupMs), Effect.sync(onEnd))
      })
      const exit = yield* Effect.onInterrupt(restore(wait), () => undo)
      if (exit !== undefined) return yield* exit
      yield* Effect.forkDetach(undo)
      return yield* restore(onTimeout)
    })
  )
