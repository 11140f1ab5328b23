import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"

/** Derived data that was rebuilt from facts, with the number of changed rows. */
export interface Repair {
  readonly repair: string
  readonly count: number
}

/** A step of a repair. It changes derived data only, and returns the number of changed rows. */
export type RepairStep = readonly [repair: string, run: Effect.Effect<number, SqlError>]

/**
 * Runs a step in a savepoint. A step that the database refuses changes nothing: the check that follows reports what is still violated.
 */
export const runStep = (sql: SqlClient.SqlClient, [repair, run]: RepairStep): Effect.Effect<Repair, SqlError> =>
  sql.withTransaction(run).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "UniqueViolation" || reason._tag === "ConstraintError",
      () => Effect.succeed(0)
    ),
    Effect.map((count) => ({ repair, count }))
  )
