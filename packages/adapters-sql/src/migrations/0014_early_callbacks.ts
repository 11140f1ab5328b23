import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the keys of callbacks that came before the PENDING answer with their key (rule LENDER-22).
 *
 * A callback and the PENDING answer of its quote meet in one row for each key, whichever is stored first. `quote_id` is the quote that got the
 * key, `called_at` the time of the callback. Rows are deleted 15 minutes after their last change.
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
