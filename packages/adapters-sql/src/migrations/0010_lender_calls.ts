import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds the lender's PENDING answer to a job, and the throttle of the calls to a lender.
 *
 * `slot_at` determines the order in which jobs call the lender. The lender calls back with the `callback_key`. `wakes`
 * counts how often a callback made the job due, and `woken_at` is the time of the last one (rule JOB-05).
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table job
      add column lender_state text,
      add column callback_key text collate "C",
      add column slot_at float8,
      add column wakes integer not null default 0,
      add column woken_at timestamptz`
  yield* sql`create index job_callback_key on job (callback_key) where callback_key is not null`
  // One row for each lender. Times are milliseconds since 1970, as in the rule `judgeEntry`.
  yield* sql`
    create table lender_throttle (
      lender text collate "C" primary key,
      interval_ms float8 not null default 0,
      next_at float8 not null default 0,
      last_at float8 not null default 0,
      calls jsonb not null default '[]',
      waiting jsonb not null default '[]'
    ) with (fillfactor = 50)`
})
