import { nextSettlementPoll, watchedUntil } from "@lastro/domain/loan"
import { currentTimestamp, type Timestamp } from "@lastro/domain/values"
import { Effect, Result } from "effect"
import { type SqlClient } from "effect/sql"
import { applicationColumns, applicationOf, type ApplicationRow } from "../origination/applicationRow.ts"
import { unknownPartner } from "./dueJobs.ts"

/** The position of the last row of a part, in the order in which a step reads its rows. */
export type Cursor = readonly [group: string, id: string]

/** The result of one part of a sweep step. */
export interface BatchResult {
  /** Number of started jobs. */
  readonly started: number
  /** The position after which the next part begins. Null after the last part. */
  readonly next: Cursor | null
}

interface UnwatchedRow extends ApplicationRow {
  readonly proposal_id: string
}

/** A paid contract that is polled for its settlement. */
interface Watch {
  readonly id: string
  readonly until: Timestamp
  /** The next poll. Null if there is none. */
  readonly poll_at: Timestamp | null
}

/**
 * Returns a contract with the time until which it is polled. Undefined if it is not polled, or if its facts cannot be
 * read.
 */
const watchOf = ({ proposal_id, ...row }: UnwatchedRow, at: Timestamp): Watch | undefined => {
  const read = Result.try(() => {
    const application = applicationOf(row)
    return { until: watchedUntil(application), poll_at: nextSettlementPoll(application, at) }
  })
  if (Result.isFailure(read) || read.success.until === null) return undefined
  const { poll_at, until } = read.success
  return { id: proposal_id, until, poll_at }
}

/**
 * For contracts that an earlier version recorded as paid: stores the time until which they are polled, and starts their
 * jobs at the times of PROP-17. No job is due within a day, because a node of the earlier version would end it.
 */
export const fillWatches = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, [group, after]: Cursor, size: number) {
  const rows = yield* sql<UnwatchedRow>`
    select ${sql.literal(applicationColumns)}, unwatched.id as proposal_id
    from (
      select id, application_id from proposal
      where status = 'PAID' and watched_until is null and id > ${after} order by id limit ${size}
    ) unwatched join application item on item.id = unwatched.application_id
    order by unwatched.id`
  const last = rows.at(-1)
  if (last === undefined) return { started: 0, next: null } satisfies BatchResult
  const at = yield* currentTimestamp
  const watches = rows.map((row) => watchOf(row, at)).filter((watch) => watch !== undefined)
  const started = yield* sql`
    with watch as (
      select * from jsonb_to_recordset(${JSON.stringify(watches)}::jsonb) as given (
        id uuid, until timestamptz, poll_at timestamptz
      )
    ),
    filled as (
      update proposal set watched_until = watch.until from watch
      where proposal.id = watch.id and proposal.status = 'PAID' and proposal.watched_until is null
      returning proposal.id, proposal.root_id, proposal.partner_id, watch.poll_at, watch.until
    )
    insert into job (kind, id, root_id, partner_id, run_at)
    select 'contract', id, root_id, partner_id, greatest(poll_at, now() + interval '1 day') from filled
    where until > now()
    on conflict (kind, id) do nothing returning id`
  return { started: started.length, next: rows.length < size ? null : [group, last.proposal_id] } satisfies BatchResult
})

/**
 * Stores the partners of jobs that a node of an earlier version started. Skips jobs that another transaction has
 * locked.
 */
export const fillTenancies = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, cursor: Cursor, size: number) {
  const filled = yield* sql`
    with owned as (
      select job.kind, job.id, owner.root_id, owner.partner_id
      from job join quote on quote.id = job.id join application owner on owner.id = quote.application_id
      where job.kind = 'quote' and job.root_id = ${unknownPartner}
      union all
      select job.kind, job.id, owner.root_id, owner.partner_id
      from job join proposal owner on owner.id = job.id
      where job.kind = 'contract' and job.root_id = ${unknownPartner}
      limit ${size}
    ),
    free as (
      select job.kind, job.id from job join owned using (kind, id) for update of job skip locked
    )
    update job set root_id = owned.root_id, partner_id = owned.partner_id
    from owned join free using (kind, id) where job.kind = owned.kind and job.id = owned.id
    returning job.id`
  return { started: 0, next: filled.length < size ? null : cursor } satisfies BatchResult
})
