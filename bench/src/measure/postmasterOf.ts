import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { parentOf } from "./processorTime.ts"

/** The process that all processes of a PostgreSQL server are children of; undefined where that cannot be told. */
export const postmasterOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    Effect.orDie(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`),
    ([backend]) => backend === undefined ? undefined : parentOf(backend.pid)
  )
