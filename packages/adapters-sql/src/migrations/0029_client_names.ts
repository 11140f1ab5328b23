import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the names of API clients. They are null for clients of earlier versions, whose name is their `client_id`.
 *
 * Nodes of the previous version keep working: the columns are nullable, and no row is rewritten.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table api_client
      add column name text,
      add column name_folded text collate "C"`
})
