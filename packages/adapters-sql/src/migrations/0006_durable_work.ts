import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How what is kept of a work is found when the work has ended and is taken away; the tables themselves are the engine's. */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index lastro_work_messages_entity on lastro_work_messages (entity_type, entity_id)`
})
