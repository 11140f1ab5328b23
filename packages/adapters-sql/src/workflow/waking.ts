import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Queue, Schedule } from "effect"
import { Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { orDie } from "../DatabaseFailure.ts"

const channel = "lastro_work"

/** Has this process look for work once the transaction around it has committed. */
export const wakeThis = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sharding = yield* Sharding.Sharding
  return sql.afterCommit(sharding.pollStorage)
})

/** Has every node look for work: a statement of the transaction around it, so that PostgreSQL tells it with the commit. */
export const wakeAll = Effect.map(SqlClient.SqlClient, (sql) => orDie(sql`select pg_notify(${channel}, '')`))

/** Looks for work whenever some process started some. It is looked for every second anyway: a lost connection costs time, not work. */
export const layerListener = Layer.effectDiscard(Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const sharding = yield* Sharding.Sharding
  const listening = Effect.scoped(Effect.gen(function*() {
    const calls = yield* sql.listen(channel)
    yield* sharding.pollStorage
    return yield* Effect.forever(Effect.andThen(Queue.take(calls), sharding.pollStorage))
  }))
  const told = Effect.tapError(
    listening,
    () => Effect.logWarning("PostgreSQL does not tell of new work; looking for it")
  )
  yield* Effect.forkScoped(Effect.retry(told, Schedule.spaced("5 seconds")))
}))
