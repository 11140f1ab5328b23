import { type Effect } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"

type Run = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/**
 * A migration, and which programs still work after it. The version of a program is its schema version: the id of its
 * last migration.
 */
export interface Step {
  readonly run: Run
  /** Programs below this schema version do not work after the migration. Null if all programs still work. */
  readonly excludesBelow: number | null
  /**
   * The long parts of the migration. Each runs before it in its own transaction, because the migration itself locks the
   * list of migrations, which running nodes read. A part must be safe to repeat, and must not break any program.
   */
  readonly prepare: ReadonlyArray<Run>
}

/** An expanding migration: programs of the previous schema version work before and after it. */
export const expand = (run: Run, prepare: ReadonlyArray<Run> = []): Step => ({ run, excludesBelow: null, prepare })

/**
 * A contracting migration: programs below the schema version `lowestProgram` do not work after it. It runs only while
 * none of their nodes runs.
 */
export const contract = (lowestProgram: number, run: Run): Step => ({ run, excludesBelow: lowestProgram, prepare: [] })

/** Returns, for each migration in order, the lowest program version that works after it. */
export const lowestPrograms = (steps: ReadonlyArray<Step>): ReadonlyArray<number> => {
  let lowest = 0
  return steps.map(({ excludesBelow }) => lowest = Math.max(lowest, excludesBelow ?? 0))
}
