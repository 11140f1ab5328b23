import { Effect } from "effect"
import { SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { Migrator } from "effect/sql"
import { prefix } from "./engineTables.ts"

/**
 * Brings the tables of the workflow engine up to date, by the engine's own migrations: another version of it may bring more of
 * them.
 */
export const migrateEngine = Effect.all([
  Migrator.make({})({ loader: SqlMessageStorage.migrations({ prefix }), table: `${prefix}_migrations` }),
  Migrator.make({})({ loader: SqlRunnerStorage.migrations({ prefix }), table: `${prefix}_runner_migrations` })
], { discard: true })
