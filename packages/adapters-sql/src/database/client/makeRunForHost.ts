import { isRollbackToSavepoint } from "@lastro/domain/ports"
import { Context, Effect } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"
import { ClientConnection, withHostSettings } from "./ClientConnection.ts"

/** The `search_path` of a connection now, and when it was opened. */
interface SearchPaths {
  readonly current: string
  readonly initial: string
}

/** Runs a statement of the host in the current transaction of Lastro. */
export type RunForHost = (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<unknown, SqlError.SqlError>

/**
 * Returns a function that runs statements of the host on Lastro's own connections. Each runs with the `search_path`
 * that the connection had when it was opened, the default of its role and database. So the statement finds the tables
 * of the host without their schema, and no table of Lastro with the same name. If a statement changes the
 * `search_path`, the change is undone after it.
 */
export const makeRunForHost = (sql: SqlClient.SqlClient): RunForHost => {
  let paths: SearchPaths | undefined
  // The `search_path` is read once, because all connections of a client are opened with the same one. It stays valid:
  // it is restored after each statement of the host, and no statement of Lastro changes it.
  const readPaths = Effect.suspend(() =>
    paths !== undefined ? Effect.succeed(paths) : Effect.map(
      sql<SearchPaths>`select setting as current, reset_val as initial from pg_settings where name = 'search_path'`,
      ([row]) => paths = row ?? { current: "", initial: "" }
    )
  )
  return (text, values) =>
    Effect.withFiber((fiber) => {
      const [connection] = Context.getOrUndefined(fiber.context, sql.transactionService) ?? []
      if (connection instanceof ClientConnection) return connection.runForHost(text, values)
      const statement = sql.unsafe(text, values).raw
      return Effect.flatMap(readPaths, ({ current, initial }) =>
        withHostSettings(statement, {
          // A failed transaction accepts only a rollback, so no other statement is sent before it.
          enter: current === initial || isRollbackToSavepoint(text)
            ? Effect.void
            : sql`set local search_path to default`,
          // Set it for the whole session: the statement may have changed it for the whole session.
          leave: sql`select set_config('search_path', ${current}, false)`
        }))
    })
}
