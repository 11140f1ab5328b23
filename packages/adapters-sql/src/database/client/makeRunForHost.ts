import { isRollbackToSavepoint } from "@lastro/domain/transaction"
import { Context, Effect } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"
import { ClientConnection } from "./ClientConnection.ts"
import { withHostSettings } from "./withHostSettings.ts"

/** The `search_path` of a connection, and the one that it started with. */
interface SearchPaths {
  readonly own: string
  readonly start: string
}

/** Runs a statement of the host in the surrounding transaction. */
export type RunForHost = (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<unknown, SqlError.SqlError>

/**
 * Makes a function that runs statements of the host on the connections of a client. A statement of the host has the `search_path` that the
 * connection started with, which is the default of its role and database. So it finds the tables of the host without a schema, and never a
 * table of Lastro that has the same name. A statement that changes the `search_path`, such as `set` or a call of `set_config`, has no effect
 * after it.
 */
export const makeRunForHost = (sql: SqlClient.SqlClient): RunForHost => {
  let known: SearchPaths | undefined
  // It is restored after each statement of the host, and the statements of Lastro never change it, so it is read once.
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
          // A failed transaction takes no other statement.
          enter: own === start || isRollbackToSavepoint(text) ? Effect.void : sql`set local search_path to default`,
          // Not limited to the transaction, so that it also replaces a change of the session.
          leave: sql`select set_config('search_path', ${own}, false)`
        }))
    })
}
