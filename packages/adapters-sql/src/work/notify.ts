import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Queue, Result, Schedule } from "effect"
import { ShardId, Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"

const channel = "lastro_work"

/** Makes the worker of a shard poll for jobs after the surrounding transaction has committed. */
export type NotifyShard = (shard: ShardId.ShardId) => Effect.Effect<void>

/** Creates a notifier for a process that is the only worker. The notifier makes this process poll for jobs. */
export const makeLocalNotifier: Effect.Effect<NotifyShard, never, SqlClient.SqlClient | Sharding.Sharding> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const { pollStorage } = yield* Sharding.Sharding
    return () => sql.afterCommit(pollStorage)
  }
)

/**
 * Creates a notifier that sends `NOTIFY` to every node. PostgreSQL delivers it when the surrounding transaction
 * commits.
 */
export const makePgNotifier: Effect.Effect<NotifyShard, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => (shard) => Effect.asVoid(orDie(sql`select pg_notify(${channel}, ${ShardId.toString(shard)})`))
)

/**
 * Polls for jobs whenever a notification names a shard of this node. The engine also polls every second, so a lost
 * connection delays jobs but loses none.
 */
export const layerListener = Layer.effectDiscard(Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const { hasShardId, pollStorage } = yield* Sharding.Sharding
  // Another version of Lastro may send a payload that is not a shard id.
  const isForThisNode = (payload: string) =>
    Result.getOrElse(Result.try(() => hasShardId(ShardId.fromString(payload))), () => true)
  const listen = Effect.scoped(Effect.gen(function*() {
    const notifications = yield* sql.listen(channel)
    yield* pollStorage
    const handleNext = Effect.flatMap(
      Queue.take(notifications),
      ({ payload }) => isForThisNode(payload) ? pollStorage : Effect.void
    )
    return yield* Effect.forever(handleNext)
  }))
  const listenAndLog = Effect.tapError(
    listen,
    () => Effect.logWarning("LISTEN failed; polling for jobs every 1 s and reconnecting in 5 s")
  )
  yield* Effect.forkScoped(Effect.retry(listenAndLog, Schedule.spaced("5 seconds")))
}))
