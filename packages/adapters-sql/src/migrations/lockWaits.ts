import { Effect, Schedule } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { sqlStateOf } from "../database/client/sqlErrors.ts"
import { SchemaBusy } from "./schemaErrors.ts"

/**
 * Maximum wait of a migration for a lock, in seconds. Meanwhile, statements of nodes on the same table wait behind the
 * migration; they fail after 5 s.
 */
const lockSeconds = 2

/** Number of attempts of a migration that cannot lock a table. */
export const lockAttempts = 10

/** The SQLSTATEs of a lock timeout and of a deadlock. */
const busyStates: ReadonlySet<string> = new Set(["55P03", "40P01"])

/** Returns whether a statement failed because it could not acquire a lock. */
export const isLockMissing = (error: unknown): boolean =>
  SqlError.isSqlError(error) && busyStates.has(sqlStateOf(error) ?? "")

/** Sets the maximum wait for locks until the end of the transaction. */
export const limitLockWaits = (sql: SqlClient.SqlClient) =>
  sql`select set_config('lock_timeout', ${`${lockSeconds}s`}, true)`

/** Repeats a migration that could not lock a table. Statements that waited behind the migration run in the pauses. */
export const retryIfBusy = <A, E, R>(migration: Effect.Effect<A, E, R>, attempts: number): Effect.Effect<A, E, R> =>
  Effect.retry(migration, {
    schedule: Schedule.spaced("1 second"),
    times: attempts - 1,
    while: (error) => error instanceof SchemaBusy
  })
