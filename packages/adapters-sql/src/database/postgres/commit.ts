import { type PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { type SqlConnection, type SqlError } from "effect/sql"
import { sqlStateOf } from "../client/sqlErrors.ts"
import { failCommit, LeasedConnection } from "./LeasedConnection.ts"
import { CommitOutcomeUnknown } from "./ServerConnection.ts"

/** A statement of the transaction failed, and the error was ignored. PostgreSQL rolled the transaction back. */
export class TransactionAborted extends Error {
  override readonly name = "TransactionAborted"
}

/**
 * Returns whether the commit may have succeeded despite the error. A server that is stopping may report SQLSTATE 57P
 * after it stored the commit. Any other error that the server reports means that it rolled back.
 */
const isOutcomeUnknown = (connection: SqlConnection.Connection, error: SqlError.SqlError): boolean =>
  (connection instanceof LeasedConnection && connection.server.isClosed) ||
  error.reason._tag === "ConnectionError" || sqlStateOf(error)?.startsWith("57P") === true

/**
 * Commits. Fails with the cause {@link CommitOutcomeUnknown} if the response is lost. If a statement of the transaction
 * had failed, PostgreSQL answers `ROLLBACK`, and the commit fails with the cause {@link TransactionAborted}.
 */
export const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  (connection.executeRaw("COMMIT", []) as Effect.Effect<PgConnection.Result, SqlError.SqlError>).pipe(
    Effect.catch((error) =>
      isOutcomeUnknown(connection, error)
        ? failCommit(new CommitOutcomeUnknown("The response to COMMIT was lost", { cause: error }))
        : Effect.fail(error)
    ),
    Effect.flatMap(({ command }) =>
      command === "ROLLBACK" ?
        failCommit(
          new TransactionAborted(
            "A statement failed and the transaction cannot commit. Let the error end the callback, or run the statement in `tx.atomically`."
          )
        ) :
        Effect.void
    )
  )
