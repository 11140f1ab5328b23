import { type Effect } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"

type Run = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/**
 * A migration, and the oldest version of the program that still works after it. A program is identified by its schema
 * version: the id of its last migration.
 */
export interface Step {
  readonly run: Run
  /**
   * A program works on the schema after this migration only if its own schema version is at least this. Null if the
   * migration excludes no program.
   */
  readonly excludesBelow: number | null
  /**
   * The long parts of the migration. They run before it, each in a transaction of its own: the migration itself locks
   * the list of migrations, which the nodes that are serving read. A part must be safe to repeat, and not exclude any
   * program.
   */
  readonly prepare: ReadonlyArray<Run>
}

/** An expanding migration: a program of the previous schema version works on the schema before and after it. */
export const expand = (run: Run, prepare: ReadonlyArray<Run> = []): Step => ({ run, excludesBelow: null, prepare })

/**
 * A contracting migration: programs of a schema version below `lowestProgram` do not work on the schema after it. It
 * runs only while none of their nodes is running.
 */
export const contract = (lowestProgram: number, run: Run): Step => ({ run, excludesBelow: lowestProgram, prepare: [] })

/**
 * Returns, for each migration in order, the schema version that a program needs at least to work on the schema after
 * the migration.
 */
export const lowestPrograms = (steps: ReadonlyArray<Step>): ReadonlyArray<number> => {
  let lowest = 0
  return steps.map(({ excludesBelow }) => lowest = Math.max(lowest, excludesBelow ?? 0))
}
