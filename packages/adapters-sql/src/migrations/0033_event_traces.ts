import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds to each event the trace context of the change that caused it (W3C Trace Context), which the deliveries to webhooks
 * continue.
 *
 * Nodes of the previous version keep working: the column is nullable, and no row is rewritten.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table event add column traceparent text`
})
