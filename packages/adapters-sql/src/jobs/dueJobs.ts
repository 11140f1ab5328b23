import { dueAt, earlyCallbackMs, isRemembered, type Job, queueOf } from "@lastro/domain/jobs"
import { type JobTarget } from "@lastro/domain/origination"
import { Effect, Option } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { sendAhead } from "../database/postgres/statements.ts"

/**
 * The channel on which processes announce new jobs, as an SQL expression. It contains the id of a table of the
 * installation, so installations in one database have separate channels.
 */
export const jobChannelSql = "concat('lastro_job_', 'job'::regclass::oid)"

/** The payload of a notification for webhook deliveries. That of a new job is empty. */
export const webhookNotice = "webhook"

/** Stored as the partner of a job whose partner is unknown. */
export const unknownPartner = "00000000-0000-0000-0000-000000000000"

/** Selects the partner of a job's application, and its root. Selects nothing if the application is not stored. */
const ownerOf = (sql: SqlClient.SqlClient, { id, kind }: Job) =>
  kind === "contract"
    ? sql`select root_id, partner_id from proposal where id = ${id}`
    : sql`
      select root_id, partner_id from application
      where id = (select application_id from quote where quote.id = ${id})`

/**
 * Stores a job, or makes a stored one due at once. The commit of the current transaction notifies the other processes.
 * The job is stored with the partner of its application, for the turns of TURN-01, and with the `traceparent` of its
 * request.
 */
export const startJob = (sql: SqlClient.SqlClient, job: Job, traceparent: string | null = null) =>
  sql`
    with started as (
      insert into job (kind, id, root_id, partner_id, traceparent)
      select ${
    queueOf(job)
  }, ${job.id}, coalesce(owner.root_id, ${unknownPartner}), coalesce(owner.partner_id, ${unknownPartner}),
        ${traceparent}::text
      from (values (true)) one left join (${ownerOf(sql, job)}) owner on true
      on conflict (kind, id) do update set
        attempt = 1, pauses = 0, is_poll_next = false, failures = 0, starts = job.starts + 1,
        lender_state = null, callback_key = null, slot_at = null, traceparent = excluded.traceparent,
        run_at = case when job.owner is null then now() else job.run_at end
      returning kind
    )
    select pg_notify(${sql.literal(jobChannelSql)}, '') from started`

/**
 * A job to make due, with the current time of the database. The row is locked. Times are whole milliseconds since 1970.
 */
interface TargetRow {
  readonly kind: string
  readonly id: string
  readonly woken_at: number | null
  readonly lender_state: string | null
  readonly at: number
}

/** Converts a PostgreSQL time to milliseconds. Truncates, so the result is never in the future. */
const toMillis = (sql: SqlClient.SqlClient, time: string) =>
  sql.literal(`floor(extract(epoch from ${time}) * 1000)::float8`)

export const fromMillis = (sql: SqlClient.SqlClient, at: number) => sql`to_timestamp(${at}::float8 / 1000)`

/**
 * Stores the key of a callback, because the quote may get this key only later (rule LENDER-22). A run that sets the key
 * of its quote then finds the callback. Defines the table `called` with the quote that already has the key.
 */
const storeCallback = (sql: SqlClient.SqlClient, callback_key: string, lender_state: string | null) =>
  sql`
    with called as (
      insert into lender_callback (callback_key, lender_state, called_at, changed_at)
      values (${callback_key}, ${lender_state}, clock_timestamp(), clock_timestamp())
      on conflict (callback_key) do update set
        lender_state = coalesce(excluded.lender_state, lender_callback.lender_state),
        called_at = excluded.called_at, changed_at = excluded.changed_at
      returning quote_id
    )`

/** Returns the stored form of a callback key. Keys of different lenders are distinct. */
const storedKey = (callback_key: string, lender: string | undefined): string =>
  lender === undefined ? callback_key : `${lender}\u001f${callback_key}`

/** Makes the locked jobs of a target due (rule JOB-05). */
const makeTargetsDue = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, target: JobTarget) {
  const newState = "lender_state" in target ? target.lender_state ?? null : null
  const queue = target.lender === undefined ? target.kind : `${target.kind}:${target.lender}`
  const [called, isTarget] = "id" in target
    ? [sql``, sql`id = ${target.id}`]
    : [
      storeCallback(sql, storedKey(target.callback_key, target.lender), newState),
      sql`(callback_key = ${target.callback_key} or id = (select quote_id from called))`
    ]
  const jobs = yield* sql<TargetRow>`
    ${called} select kind, id, lender_state, ${toMillis(sql, "woken_at")} as woken_at, ${toMillis(sql, "now()")} as at
    from job where kind = ${queue} and ${isTarget} for no key update`
  for (const { at, id, kind, lender_state, woken_at } of jobs) {
    const state = newState ?? lender_state
    const due_at = dueAt(woken_at, at)
    if (due_at === null && state === lender_state) continue
    const due = fromMillis(sql, due_at ?? woken_at ?? at)
    yield* sendAhead(sql`
      with woken as (
        update job set wakes = wakes + 1, woken_at = ${due}, lender_state = ${state},
          run_at = case when owner is null then least(run_at, ${due}) else run_at end
        where kind = ${kind} and id = ${id} returning kind
      )
      select pg_notify(${sql.literal(jobChannelSql)}, '') from woken`)
  }
})

/**
 * Makes waiting jobs due at once, or a second after they last became due (rule JOB-05), and stores the `lender_state` of
 * the target. If a job already waits for the end of that second, only the state is stored. A running job becomes due
 * again at its end. The commit of the current transaction notifies the other processes.
 */
export const makeJobDue = (sql: SqlClient.SqlClient, target: JobTarget): Effect.Effect<void, SqlError> =>
  Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    (transaction) =>
      Option.isSome(transaction) ? makeTargetsDue(sql, target) : sql.withTransaction(makeTargetsDue(sql, target))
  )

/**
 * Stores the `callback_key` that a quote gets with a PENDING answer. The lender may already have called back with this
 * key (LENDER-22). If that callback is remembered, returns it with the time at which it makes the job due. The callback
 * and the run write the same row. So the second of them reads what the first one wrote.
 */
export const storeCallbackKey = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  job: Job,
  callback_key: string
) {
  const { id: quote_id } = job
  const key = storedKey(callback_key, "lender" in job ? job.lender : undefined)
  const [callback] = yield* sql<Omit<TargetRow, "id" | "kind"> & { readonly called_at: number | null }>`
    insert into lender_callback (callback_key, quote_id) values (${key}, ${quote_id})
    on conflict (callback_key) do update set quote_id = excluded.quote_id, changed_at = now()
    returning lender_state, ${toMillis(sql, "called_at")} as called_at, ${toMillis(sql, "clock_timestamp()")} as at,
      (select ${toMillis(sql, "woken_at")} from job where kind = ${queueOf(job)} and id = ${quote_id}) as woken_at`
  if (callback === undefined || callback.called_at === null) return undefined
  const { at, called_at, lender_state, woken_at } = callback
  return isRemembered(called_at, at) ? { lender_state, due_at: dueAt(woken_at, at) ?? woken_at ?? at } : undefined
})

/** Deletes callback keys that are too old for any run. */
export const forgetCallbacks = (sql: SqlClient.SqlClient) =>
  sql`delete from lender_callback where changed_at < now() - ${earlyCallbackMs} * interval '1 millisecond'`
