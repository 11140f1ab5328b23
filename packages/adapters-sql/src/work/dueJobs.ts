import { duePauseMs, type Job, type JobTarget } from "@lastro/domain/origination"
import { type SqlClient } from "effect/sql"

/**
 * The channel on which processes announce new jobs, as SQL. It differs for each installation: the id of a table is unique in a database.
 */
export const jobChannel = "concat('lastro_job_', 'job'::regclass::oid)"

/** Stores a job, or makes a stored job due at once. Announces it when the surrounding transaction commits. */
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

const isTarget = (sql: SqlClient.SqlClient, target: JobTarget) =>
  "id" in target
    ? sql`kind = ${target.kind} and id = ${target.id}`
    : sql`kind = ${target.kind} and callback_key = ${target.callback_key}`

/**
 * Makes waiting jobs due at once (rule JOB-05, `dueAt`), and stores the `lender_state` of the target. A job that runs becomes due again when its
 * run ends. A job that is already being made due at a later time only gets the state: it is due then. Announces the jobs when the surrounding
 * transaction commits.
 */
export const makeJobDue = (sql: SqlClient.SqlClient, target: JobTarget) => {
  const state = "lender_state" in target ? target.lender_state ?? null : null
  const due = sql`
    case when woken_at > now() then woken_at
    else greatest(now(), woken_at + ${duePauseMs} * interval '1 millisecond') end`
  return sql`
    with woken as (
      update job set
        wakes = wakes + 1, woken_at = ${due}, lender_state = coalesce(${state}::text, lender_state),
        run_at = case when owner is null then least(run_at, ${due}) else run_at end
      where ${isTarget(sql, target)}
        and (woken_at is null or woken_at <= now() or lender_state is distinct from coalesce(${state}::text, lender_state))
      returning kind
    )
    select pg_notify(${sql.literal(jobChannel)}, '') from woken`
}
