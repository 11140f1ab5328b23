import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the index that finds the messages of an ended job, so that they can be deleted. The table belongs to the
 * workflow engine.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index lastro_work_messages_entity on lastro_work_messages (entity_type, entity_id)`
})
