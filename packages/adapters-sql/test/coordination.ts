import { Deferred, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Makes a barrier: an effect that completes once `parties` fibers run it. */
export const makeBarrier = (parties: number) =>
  Effect.map(Deferred.make<void>(), (all) => {
    let arrived = 0
    return Effect.suspend(() => ++arrived === parties ? Deferred.succeed(all, undefined) : Deferred.await(all))
  })

/** Waits, inside a transaction, until another transaction waits for one of its locks. */
export const awaitBlockedTransaction: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const blocked = yield* sql`
      select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1`
    if (blocked.length === 0) yield* Effect.andThen(Effect.sleep("20 millis"), awaitBlockedTransaction)
  }
)

/** Polls a condition until it is true. Dies after 25 s with its description. */
export const waitUntil = <E, R>(
  description: string,
  condition: Effect.Effect<boolean, E, R>
): Effect.Effect<void, E, R> => {
  const poll: Effect.Effect<void, E, R> = Effect.flatMap(
    condition,
    (holds) => holds ? Effect.void : Effect.andThen(Effect.sleep("20 millis"), poll)
  )
  return Effect.timeoutOrElse(poll, {
    duration: "25 seconds",
    orElse: () => Effect.die(new Error(`Timed out after 25 s: ${description}`))
  })
}
