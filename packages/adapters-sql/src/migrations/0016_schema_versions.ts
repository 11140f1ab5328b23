import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds what a rolling upgrade needs: the lowest schema version of a program that works on the schema after each migration, and the schema
 * version of each node. It is null for a node of an earlier version.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table lastro_migration add column lowest_program integer`
  yield* sql`alter table node add column schema_version integer`
})
