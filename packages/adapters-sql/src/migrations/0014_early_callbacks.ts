import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Creates the table of callback keys. It connects a quote with a callback that arrives before the PENDING answer with
 * the same key is stored (rule LENDER-22).
 *
 * The callback and the answer write the same row, in either order. `quote_id` is the quote that got the key, and
 * `called_at` the time of the callback. Rows are deleted 15 minutes after their last change.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table lender_callback (
      callback_key text collate "C" primary key,
      quote_id uuid,
      lender_state text,
      called_at timestamptz,
      changed_at timestamptz not null default now()
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
})
