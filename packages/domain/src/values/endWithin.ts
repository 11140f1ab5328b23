import { type Duration, Effect, Fiber } from "effect"

/**
 * Runs an effect. After `duration`, interrupts it and ends with `onTimeout`. Unlike `Effect.timeout`, it does not wait
 * for the interruption: an effect that cannot be interrupted continues in the background, and its result is dropped.
 */
export const endWithin = <A, E, R, A2, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Input,
  onTimeout: Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkDetach(restore(effect), { startImmediately: true })
      const joined = Effect.timeoutOrElse(Fiber.join(fiber), { duration, orElse: () => onTimeout })
      return yield* Effect.ensuring(restore(joined), Effect.sync(() => fiber.interruptUnsafe()))
    })
  )
