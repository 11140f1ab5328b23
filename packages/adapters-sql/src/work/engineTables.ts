import { Effect } from "effect"
import { MachineId, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { Migrator, type SqlClient } from "effect/sql"

/** The prefix of the workflow engine's tables and advisory locks. It is part of the stored format. */
export const tablePrefix = "lastro_work"

/** Runs the migrations of the workflow engine. A new version of the engine may contain further ones. */
export const migrateEngine = Effect.all([
  Migrator.make({})({
    loader: SqlMessageStorage.migrations({ prefix: tablePrefix }),
    table: `${tablePrefix}_migrations`
  }),
  Migrator.make({})({
    loader: SqlRunnerStorage.migrations({ prefix: tablePrefix }),
    table: `${tablePrefix}_runner_migrations`
  })
], { discard: true })

/**
 * Allocates a machine id that no other process has. Message ids contain the machine id, so they are unique across
 * processes.
 */
export const allocateMachineId = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly number: string }>`
      select nextval(pg_get_serial_sequence(${`${tablePrefix}_runners`}, 'machine_id')) as number`,
    ([row]) => MachineId.make(Number(row?.number))
  )
