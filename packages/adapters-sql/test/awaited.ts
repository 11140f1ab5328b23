import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Waits, within a transaction, until another one waits for what this one holds. */
export const awaited: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const waiting = yield* sql`
    select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1`
  if (waiting.length === 0) yield* Effect.andThen(Effect.sleep("5 millis"), awaited)
})
