import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Deferred, Effect, Exit, Fiber } from "effect"

/** Runs an effect as one unit of work. */
export const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) => UnitOfWork.use((unit) => unit.atomically(effect))

/** Runs an effect as one unit of work that rolls back. */
export const rollBack = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.exit(atomically(Effect.andThen(effect, Effect.die("rollback")))),
    (exit) => assert.deepStrictEqual<unknown>(exit, Exit.die("rollback"))
  )

/** Runs effects at the same time. */
export const inParallel = <const Effects extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(
  effects: Effects
) => Effect.all(effects, { concurrency: "unbounded" })

/** Runs an effect several times at the same time. */
export const repeatInParallel = <A, E, R>(times: number, effect: Effect.Effect<A, E, R>) =>
  Effect.replicateEffect(effect, times, { concurrency: "unbounded" })

/**
 * Runs an effect in a unit of work of another fiber, and returns when the effect has ended. The unit of work stays
 * open. `release` runs `last` in it, and waits for its commit.
 */
export const holdOpen = Effect.fnUntraced(function*<E, R, E2 = never, R2 = never>(
  effect: Effect.Effect<unknown, E, R>,
  last: Effect.Effect<unknown, E2, R2> = Effect.void as never
) {
  const held = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(atomically(
    Effect.all([effect, Deferred.succeed(held, undefined), Deferred.await(end), last])
  ))
  yield* Deferred.await(held)
  const release = Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber))
  return { release }
})
