import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Queue, Result, Schedule } from "effect"
import { ShardId, Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"

const channel = "lastro_work"

/** Has whoever does the work of a shard look for it, once the transaction around has committed. */
export type Wake = (shard: ShardId.ShardId) => Effect.Effect<void>

/** Has this process look for work, which does all there is. */
export const wakeThis: Effect.Effect<Wake, never, SqlClient.SqlClient | Sharding.Sharding> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { pollStorage } = yield* Sharding.Sharding
  return () => sql.afterCommit(pollStorage)
})

/** Tells every node: a statement of the transaction around it, so that PostgreSQL tells it with the commit. */
export const wakeAll: Effect.Effect<Wake, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => (shard) => Effect.asVoid(orDie(sql`select pg_notify(${channel}, ${ShardId.toString(shard)})`))
)

/**
 * Looks for work whenever some process started some that this node has to do. It is looked for every second anyway: a lost
 * connection costs time, not work.
 */
export const layerListener = Layer.effectDiscard(Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const { hasShardId, pollStorage } = yield* Sharding.Sharding
  // What another version of us says may name no shard.
  const isMine = (payload: string) =>
    Result.getOrElse(Result.try(() => hasShardId(ShardId.fromString(payload))), () => true)
  const listening = Effect.scoped(Effect.gen(function*() {
    const calls = yield* sql.listen(channel)
    yield* pollStorage
    const heard = Effect.flatMap(Queue.take(calls), ({ payload }) => isMine(payload) ? pollStorage : Effect.void)
    return yield* Effect.forever(heard)
  }))
  const told = Effect.tapError(
    listening,
    () => Effect.logWarning("PostgreSQL does not tell of new work; looking for it")
  )
  yield* Effect.forkScoped(Effect.retry(told, Schedule.spaced("5 seconds")))
}))
