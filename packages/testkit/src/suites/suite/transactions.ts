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
 * Runs an effect in a unit of work of another fiber, and returns when the effect has ended. The unit of work stays open
 * until `release`, which runs `last` in the unit and waits for the commit. If `last` fails, the unit rolls back.
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
  return { release: Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber)) }
})

/**
 * Starts an effect that must wait for a lock of a unit of work of {@link holdOpen}. Releases the unit 200 ms later, and
 * returns the result of the effect. Without the lock, the effect would end before the unit commits.
 */
export const runBehind = Effect.fnUntraced(function*<A, E, R, E2, R2>(
  { release }: { readonly release: Effect.Effect<unknown, E2, R2> },
  effect: Effect.Effect<A, E, R>
) {
  const fiber = yield* Effect.forkChild(effect)
  yield* Effect.timeoutOption(Fiber.await(fiber), "200 millis")
  yield* release
  return yield* Fiber.join(fiber)
})
