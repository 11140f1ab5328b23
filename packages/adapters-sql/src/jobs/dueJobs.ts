import { duePauseMs, earlyCallbackMs, type Job } from "@lastro/domain/jobs"
import { type JobTarget } from "@lastro/domain/origination"
import { type SqlClient } from "effect/sql"

/**
 * The channel on which processes announce new jobs, as an SQL expression. It contains the id of a table of the
 * installation, so installations in one database have different channels.
 */
export const jobChannel = "concat('lastro_job_', 'job'::regclass::oid)"

/** Stores a job, or makes a stored job due at once. Processes are notified when the surrounding transaction commits. */
export const startJob = (sql: SqlClient.SqlClient, { id, kind }: Job) =>
  sql`
    with started as (
      insert into job (kind, id) values (${kind}, ${id})
      on conflict (kind, id) do update set
        attempt = 1, pauses = 0, failures = 0, starts = job.starts + 1,
        lender_state = null, callback_key = null, slot_at = null,
        run_at = case when job.owner is null then now() else job.run_at end
      returning kind
    )
    select pg_notify(${sql.literal(jobChannel)}, '') from started`

/**
 * Returns an SQL expression for the time at which a job becomes due if a callback arrives now (rule JOB-05, `dueAt`).
 */
export const nextDue = (sql: SqlClient.SqlClient) =>
  sql`
    case when woken_at > now() then woken_at
    else greatest(now(), woken_at + ${duePauseMs} * interval '1 millisecond') end`

/**
 * Stores the key of a callback, for a run that stores the same key for its quote at the same time or later (rule
 * LENDER-22).
 */
const storeCallback = (sql: SqlClient.SqlClient, callback_key: string, lender_state: string | null) =>
  sql`
    called as (
      insert into lender_callback (callback_key, lender_state, called_at, changed_at)
      values (${callback_key}, ${lender_state}, clock_timestamp(), clock_timestamp())
      on conflict (callback_key) do update set
        lender_state = coalesce(excluded.lender_state, lender_callback.lender_state),
        called_at = excluded.called_at, changed_at = excluded.changed_at
      returning quote_id
    ),`

/**
 * Makes waiting jobs due at once (rule JOB-05, `dueAt`), and stores the `lender_state` of the target. A job that is
 * running becomes due again when its run ends. If an earlier call has already set a later time at which the job becomes
 * due, the time does not change and only the state is stored. Processes are notified when the surrounding transaction
 * commits.
 */
export const makeJobDue = (sql: SqlClient.SqlClient, target: JobTarget) => {
  const state = "lender_state" in target ? target.lender_state ?? null : null
  const isTarget = "id" in target
    ? sql`kind = ${target.kind} and id = ${target.id}`
    : sql`kind = ${target.kind} and (callback_key = ${target.callback_key} or id = (select quote_id from called))`
  return sql`
    with ${"id" in target ? sql`` : storeCallback(sql, target.callback_key, state)} woken as (
      update job set
        wakes = wakes + 1, woken_at = ${nextDue(sql)}, lender_state = coalesce(${state}::text, lender_state),
        run_at = case when owner is null then least(run_at, ${nextDue(sql)}) else run_at end
      where ${isTarget}
        and (woken_at is null or woken_at <= now() or lender_state is distinct from coalesce(${state}::text, lender_state))
      returning kind
    )
    select pg_notify(${sql.literal(jobChannel)}, '') from woken`
}

/**
 * Stores the `callback_key` that a quote gets with its PENDING answer. Defines `met`, which has one row if the lender
 * has already called back with this key, and otherwise none. The callback and the run write the same row, so whichever
 * writes it second reads what the first one wrote.
 */
export const meetCallback = (sql: SqlClient.SqlClient, quote_id: string, callback_key: string) =>
  sql`
    answered as (
      insert into lender_callback (callback_key, quote_id) values (${callback_key}, ${quote_id})
      on conflict (callback_key) do update set quote_id = excluded.quote_id, changed_at = now()
      returning lender_state, called_at
    ),
    met as (
      select lender_state from answered where called_at > now() - ${earlyCallbackMs} * interval '1 millisecond'
    )`

/** Deletes old callback keys, which no run needs any more. */
export const forgetCallbacks = (sql: SqlClient.SqlClient) =>
  sql`delete from lender_callback where changed_at < now() - ${earlyCallbackMs} * interval '1 millisecond'`
