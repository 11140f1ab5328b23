import { type Effect } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"

type Run = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/**
 * A migration, and the oldest programs that work on the schema after it. A program is identified by its schema version:
 * the id of its last migration.
 */
export interface Step {
  readonly run: Run
  /**
   * The lowest schema version of a program that works on the schema after this migration. Null if all programs work
   * that worked before it.
   */
  readonly excludesBelow: number | null
  /**
   * The long part of the migration. It runs and commits before `run`, because `run` locks the list of migrations, which
   * serving nodes read. It must be safe to repeat, and every program that worked before it must work after it.
   */
  readonly prepare?: Run | undefined
}

/** An expanding migration: a program of the previous schema version works on the schema before and after it. */
export const expand = (run: Run, prepare?: Run): Step => ({ run, excludesBelow: null, prepare })

/**
 * A contracting migration: programs of a schema version below `lowestProgram` do not work on the schema after it. It runs only while none of
 * their nodes is running.
 */
export const contract = (lowestProgram: number, run: Run): Step => ({ run, excludesBelow: lowestProgram })

/** Returns the lowest schema version of a program that works on the schema after each migration, in the order of the migrations. */
export const lowestPrograms = (steps: ReadonlyArray<Step>): ReadonlyArray<number> => {
  let lowest = 0
  return steps.map(({ excludesBelow }) => lowest = Math.max(lowest, excludesBelow ?? 0))
}
