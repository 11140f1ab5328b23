import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { parentOf } from "./processorTime.ts"

/** Returns the process id of PostgreSQL's main process, the parent of all others; undefined if unavailable. */
export const postmasterOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    Effect.orDie(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`),
    ([backend]) => backend === undefined ? undefined : parentOf(backend.pid)
  )
