import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { type Check, type Invariant, runQueries } from "./Finding.ts"

/**
 * Runs between two pieces of a check or a repair, with the progress as a text for the operator. Holds no lock and no
 * snapshot meanwhile, so it may pause. Default: nothing.
 */
export const CheckProgress = Context.Reference<(progress: string) => Effect.Effect<void>>(
  "@lastro/adapters-sql/checks/CheckProgress",
  { defaultValue: () => () => Effect.void }
)

/** Reports the progress of a check or a repair. */
export const reportProgress = (progress: string): Effect.Effect<void> =>
  Effect.flatMap(CheckProgress, (report) => report(progress))

/** Runs a check in a read-only snapshot without a statement timeout. */
export const runInSnapshot = (check: Check): Check =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Effect.andThen(sql`select set_config('statement_timeout', '0', true)`, check))
  ).pipe(
    Effect.provideService(SqlClient.BeginTransaction, "begin isolation level repeatable read read only"),
    withoutTransforms
  )

/**
 * Runs checks in sequence, each in a snapshot of its own: a long snapshot would keep old rows in PostgreSQL, and the
 * embedded database runs one transaction at a time.
 */
export const runInTurn = (checks: ReadonlyArray<Check>): Check =>
  Effect.map(
    Effect.forEach(checks, (check, index) =>
      Effect.andThen(reportProgress(`${index + 1} of ${checks.length}`), runInSnapshot(check))),
    (findings) =>
      findings.flat()
  )

/** Makes a check of each invariant. */
export const queriesOf = (invariants: ReadonlyArray<Invariant>): ReadonlyArray<Check> =>
  invariants.map((invariant) => runQueries([invariant]))
