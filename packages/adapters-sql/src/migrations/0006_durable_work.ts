import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds an index to the message table of the workflow engine that earlier versions used. A new database has no such
 * table.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly exists: boolean }>`
    select to_regclass('lastro_work_messages') is not null as exists`
  if (table?.exists !== true) return
  yield* sql`create index lastro_work_messages_entity on lastro_work_messages (entity_type, entity_id)`
})
