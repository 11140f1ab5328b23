import { Effect, Schedule } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { sqlStateOf } from "../database/postgres/sqlState.ts"
import { SchemaBusy } from "./SchemaBusy.ts"

/** Seconds that a migration waits for a lock. Statements of nodes, which wait behind it, give up after 5 seconds. */
const lockSeconds = 2

/** Number of attempts to run a migration that gets no lock. */
export const lockAttempts = 10

/** The SQLSTATEs of a lock timeout and of a deadlock. */
const busyStates: ReadonlySet<string> = new Set(["55P03", "40P01"])

/** Returns true if a statement failed because it got no lock. */
export const isLockMissing = (error: unknown): boolean =>
  SqlError.isSqlError(error) && busyStates.has(sqlStateOf(error) ?? "")

/** Limits the waits for locks until the end of the transaction. */
export const limitLockWaits = (sql: SqlClient.SqlClient) =>
  sql`select set_config('lock_timeout', ${`${lockSeconds}s`}, true)`

/** Repeats a migration that got no lock, with a pause for the statements that waited behind it. */
export const retryIfBusy = <A, E, R>(migration: Effect.Effect<A, E, R>, attempts: number): Effect.Effect<A, E, R> =>
  Effect.retry(migration, {
    schedule: Schedule.spaced("1 second"),
    times: attempts - 1,
    while: (error) => error instanceof SchemaBusy
  })
