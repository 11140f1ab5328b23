import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Fragment } from "effect/sql/Statement"
import { fillPlaces } from "../origination/places.ts"
import { unknownPartner } from "./dueJobs.ts"
import { type BatchResult, type Cursor, fillTenancies, fillWatches } from "./fillJobColumns.ts"

/** SQL: the queue of a contract, like `queueOf`. */
const contractQueue = (proposal: string) =>
  `'contract' || coalesce(':' || (${proposal}.facts -> 'lender' ->> 'code'), '')`

/** Selects the queues of the pending lenders of a quote. */
const pendingQueues = `
  select 'quote:' || (part -> 'lender' ->> 'code') from json_array_elements(quote.facts -> 'parts') part
  where part ->> 'outcome' = 'PENDING'`

/** Selects the kind and id of each job that an unfinished application needs (rule JOB-02, `jobsOf`). */
const jobsOfApplications = (applications: string) => `
  select unnest(case
      when quote.facts -> 'routing' is null then array['quote']
      else array(${pendingQueues}) || 'patience'::text
    end) as kind, quote.id, application.root_id, application.partner_id
  from ${applications} application join quote on quote.application_id = application.id and quote.outcome = 'PENDING'
  where application.unfinished and not exists (select from proposal where proposal.application_id = application.id)
  union all
  select ${contractQueue("proposal")}, proposal.id, proposal.root_id, proposal.partner_id
  from ${applications} application join proposal on proposal.application_id = application.id
  where application.unfinished`

/**
 * Selects the jobs of a completed quote that still has pending lenders: one for each (QUOTE-11), and one for the
 * waiting time (QUOTE-13).
 */
const jobsOfLate = (late: string) => `
  select unnest(array(${pendingQueues}) || 'patience'::text) as kind, quote.id, application.root_id, application.partner_id
  from ${late} quote join application on application.id = quote.application_id where quote.open_until is not null`

/** Selects the kind and id of the job of each paid contract that is polled for its settlement (PROP-17). */
const jobsOfPaid = (paid: string) => `
  select ${contractQueue("paid")} as kind, paid.id, paid.root_id, paid.partner_id from ${paid} paid
  where paid.status = 'PAID' and paid.watched_until > now()`

/**
 * Selects the kind and id of each job that an application needs. The job of a paid contract can be missing, because a
 * node of an earlier version can end it.
 */
export const neededJobs = `
  ${jobsOfApplications("application")} union all ${jobsOfPaid("proposal")} union all ${jobsOfLate("quote")}`

/** SQL condition: a row of {@link neededJobs} (alias `needed`) has no job. */
export const isMissing = "not exists (select from job where job.kind = needed.kind and job.id = needed.id)"

/** Number of rows that one statement of a sweep reads. */
const pieceSize = 500

interface BatchRow {
  readonly started: number
  readonly rows: number
  readonly last: Cursor | null
}

/** Rows of a table that need jobs. */
interface JobSource {
  /** Selects the rows, ordered by `column` and then by id. */
  readonly batch: Fragment
  readonly column: string
  /** SQL that returns the jobs that the rows of the batch need. */
  readonly needed: string
}

/** Starts the missing jobs of the next rows. */
const startBatch = (sql: SqlClient.SqlClient, { column, needed, batch }: JobSource, size: number) =>
  Effect.map(
    sql<BatchRow>`
      with batch as materialized (${batch} limit ${size}),
      started as (
        insert into job (kind, id, root_id, partner_id)
        select kind, id, root_id, partner_id from (${sql.literal(needed)}) needed where ${sql.literal(isMissing)}
        on conflict (kind, id) do nothing returning id
      )
      select (select count(*)::int from started) as started, (select count(*)::int from batch) as rows,
        (
          select json_build_array(${sql.literal(column)}, id) from batch
          order by ${sql.literal(column)} desc, id desc limit 1
        ) as last`,
    ([row]): BatchResult => ({
      started: row?.started ?? 0,
      next: row === undefined || row.rows < size ? null : row.last
    })
  )

type Step = (sql: SqlClient.SqlClient, after: Cursor, size: number) => Effect.Effect<BatchResult, SqlError>

const startOfApplications: Step = (sql, [partner, id], size) => {
  const batch = sql`
    select id, root_id, partner_id, unfinished from application
    where unfinished and (partner_id, id) > (${partner}::uuid, ${id}::uuid) order by partner_id, id`
  return startBatch(sql, { batch, column: "partner_id", needed: jobsOfApplications("batch") }, size)
}

const startOfPaid: Step = (sql, [until, id], size) => {
  const batch = sql`
    select id, root_id, partner_id, status, watched_until, facts from proposal
    where status = 'PAID' and watched_until > now() and (watched_until, id) > (${until}::timestamptz, ${id}::uuid)
    order by watched_until, id`
  return startBatch(sql, { batch, column: "watched_until", needed: jobsOfPaid("batch") }, size)
}

const startOfLate: Step = (sql, [until, id], size) => {
  const batch = sql`
    select id, application_id, open_until, facts from quote
    where open_until is not null and (open_until, id) > (${until}::timestamptz, ${id}::uuid)
    order by open_until, id`
  return startBatch(sql, { batch, column: "open_until", needed: jobsOfLate("batch") }, size)
}

const placeApplications: Step = (sql, [group, after], size) =>
  Effect.map(
    fillPlaces(sql, after, size),
    (last): BatchResult => ({ started: 0, next: last === null ? null : [group, last] })
  )

/** The steps of a sweep, each with the position before its first row. */
const steps: ReadonlyArray<readonly [step: Step, first: Cursor]> = [
  [placeApplications, ["", unknownPartner]],
  [fillWatches, ["", unknownPartner]],
  [fillTenancies, ["", unknownPartner]],
  [startOfApplications, [unknownPartner, unknownPartner]],
  [startOfPaid, ["-infinity", unknownPartner]],
  [startOfLate, ["-infinity", unknownPartner]]
]

interface Part {
  readonly started: number
  /** True if the sweep is complete. */
  readonly isLast: boolean
}

/**
 * Returns an effect that sweeps over the job table. Each run does the next part. A statement reads at most `size` rows,
 * so no table is read or locked as a whole. After the last part, the next run starts a new sweep.
 *
 * A sweep fills columns that an earlier version left empty, and starts missing jobs (rule JOB-02). Normally no job is
 * missing, because the transaction that makes an application unfinished also starts its job. One can be missing after
 * an upgrade from a version with another job table, or after a manual repair. Starting a job twice is safe.
 */
export const makeSweep = (size: number = pieceSize) => {
  let index = 0
  let position: Cursor | null = null
  return Effect.gen(function*() {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    let started = 0
    for (; index < steps.length; index++) {
      const [step, first] = steps[index] ?? []
      if (step === undefined || first === undefined) break
      const batch = yield* step(sql, position ?? first, size)
      started += batch.started
      position = batch.next
      if (position !== null) return { started, isLast: false } satisfies Part
    }
    index = 0
    return { started, isLast: true } satisfies Part
  }).pipe(Effect.withSpan("sweepJobs"))
}

/**
 * Runs one whole sweep, and returns the number of started jobs. Runs `between` before each part, with the number so
 * far.
 */
export const startMissingJobs = Effect.fnUntraced(function*(
  between: (started: number) => Effect.Effect<void> = () => Effect.void
) {
  const sweep = makeSweep()
  for (let started = 0;;) {
    yield* between(started)
    const part = yield* sweep
    started += part.started
    if (part.isLast) return started
  }
})
