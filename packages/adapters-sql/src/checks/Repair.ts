import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"

/** A kind of derived data that was rebuilt, with the number of changed rows. */
export interface Repair {
  readonly repair: string
  readonly count: number
}

/** A step of a repair. It changes only derived data, and returns the number of changed rows. */
export type RepairStep = readonly [repair: string, run: Effect.Effect<number, SqlError>]

/**
 * Runs a step in a savepoint. If a statement fails, the savepoint is rolled back and the repair continues. The next
 * check reports the data that is still wrong.
 */
export const runStep = (sql: SqlClient.SqlClient, [repair, run]: RepairStep): Effect.Effect<Repair, SqlError> =>
  sql.withTransaction(run).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "UniqueViolation" || reason._tag === "ConstraintError",
      () => Effect.succeed(0)
    ),
    Effect.map((count) => ({ repair, count }))
  )

/** Runs a statement that returns the number of changed rows as `count`. */
export const counted = (sql: SqlClient.SqlClient, statement: string) =>
  Effect.map(
    sql.unsafe<{ readonly count: number }>(statement).unprepared,
    ([row]) => row?.count ?? 0
  )
