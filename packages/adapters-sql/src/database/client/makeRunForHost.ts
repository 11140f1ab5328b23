import { isRollbackToSavepoint } from "@lastro/domain/ports"
import { Context, Effect } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"
import { ClientConnection, withHostSettings } from "./ClientConnection.ts"

/** The present `search_path` of a connection, and the one that it started with. */
interface SearchPaths {
  readonly own: string
  readonly start: string
}

/** Runs a statement of the host in the surrounding transaction. */
export type RunForHost = (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<unknown, SqlError.SqlError>

/**
 * Makes a function that runs statements of the host on the connections of a client. A statement of the host runs with
 * the `search_path` that the connection started with: the default of its role and database. So it finds the tables of
 * the host without a schema, and never a table of Lastro that has the same name. If a statement changes the
 * `search_path`, for example with `set` or `set_config`, the change is undone after it.
 */
export const makeRunForHost = (sql: SqlClient.SqlClient): RunForHost => {
  let known: SearchPaths | undefined
  // Read the `search_path` once. Each statement of the host is followed by its restoration, and no statement of Lastro
  // changes it.
  const readPaths = Effect.suspend(() =>
    known !== undefined ? Effect.succeed(known) : Effect.map(
      sql<SearchPaths>`select setting as own, reset_val as start from pg_settings where name = 'search_path'`,
      ([row]) => known = row ?? { own: "", start: "" }
    )
  )
  return (text, values) =>
    Effect.withFiber((fiber) => {
      const [connection] = Context.getOrUndefined(fiber.context, sql.transactionService) ?? []
      if (connection instanceof ClientConnection) return connection.runForHost(text, values)
      const statement = sql.unsafe(text, values).raw
      return Effect.flatMap(readPaths, ({ own, start }) =>
        withHostSettings(statement, {
          // In a failed transaction, PostgreSQL accepts only the rollback, so do not send another statement before it.
          enter: own === start || isRollbackToSavepoint(text) ? Effect.void : sql`set local search_path to default`,
          // Set the `search_path` of the whole session, because the statement may have changed it for the whole
          // session.
          leave: sql`select set_config('search_path', ${own}, false)`
        }))
    })
}
