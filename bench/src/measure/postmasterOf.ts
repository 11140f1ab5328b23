import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { parentOf } from "./processorTime.ts"

/** Returns the parent of all PostgreSQL processes; undefined if unavailable. */
export const postmasterOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    Effect.orDie(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`),
    ([backend]) => backend === undefined ? undefined : parentOf(backend.pid)
  )
