import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { type Check, type Invariant, runQueries } from "./Finding.ts"

/**
 * Runs between two parts of a check or a repair. Receives the progress as a text for the operator. No lock or snapshot
 * is held at that time, so it may pause. Default: does nothing.
 */
export const CheckProgress = Context.Reference<(progress: string) => Effect.Effect<void>>(
  "@lastro/adapters-sql/checks/CheckProgress",
  { defaultValue: () => () => Effect.void }
)

export const reportProgress = (progress: string): Effect.Effect<void> =>
  Effect.flatMap(CheckProgress, (report) => report(progress))

export const runInSnapshot = (check: Check): Check =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Effect.andThen(sql`select set_config('statement_timeout', '0', true)`, check))
  ).pipe(
    Effect.provideService(SqlClient.BeginTransaction, "begin isolation level repeatable read read only"),
    withoutTransforms
  )

/**
 * Runs checks one after the other, each in its own snapshot. A long snapshot would prevent PostgreSQL from removing old
 * rows, and the embedded database runs only one transaction at a time.
 */
export const runInTurn = (checks: ReadonlyArray<Check>): Check =>
  Effect.map(
    Effect.forEach(checks, (check, index) =>
      Effect.andThen(reportProgress(`${index + 1} of ${checks.length}`), runInSnapshot(check))),
    (findings) =>
      findings.flat()
  )

/** Returns a check for each invariant. */
export const queriesOf = (invariants: ReadonlyArray<Invariant>): ReadonlyArray<Check> =>
  invariants.map((invariant) => runQueries([invariant]))
