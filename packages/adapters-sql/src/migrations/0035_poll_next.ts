import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A job stores whether its next run polls the contract. Nodes of the previous version ignore the column. They derive it
 * from the number of pauses.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table job add column is_poll_next boolean not null default false`
})
