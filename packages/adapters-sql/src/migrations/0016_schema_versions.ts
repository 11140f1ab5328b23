import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the columns for rolling upgrades. For each migration, `lowest_program` is the lowest schema version of a program
 * that works after it. For each node, `schema_version` is the schema version of its program, or null if the node has an
 * earlier version.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table lastro_migration add column lowest_program integer`
  yield* sql`alter table node add column schema_version integer`
})
