import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the columns for rolling upgrades. The schema version of a program is the id of its last migration. For each
 * migration, `lowest_program` is the schema version of the oldest program that works after it. For each node,
 * `schema_version` is that of its program, or null if the program is older than this migration.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table lastro_migration add column lowest_program integer`
  yield* sql`alter table node add column schema_version integer`
})
