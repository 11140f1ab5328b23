import { type Tenancy } from "@lastro/domain/ports"
import { type SqlClient } from "effect/sql"
import { type StoredSchema } from "../migrations/storedSchema.ts"
import { unknownPartner } from "./dueJobs.ts"
import { enterNode, type NodeIdentity, schemaColumn, seenAheadColumn } from "./nodeEntries.ts"

/** Returns how many more jobs of a queue the node can run. */
export type FreeSlots = (queue: string) => number

/**
 * The limits of one poll, per kind of job. A poll reads all due jobs if there are at most `due`. If there are more, it
 * reads only the first job of each partner. It then reads at most `roots` root partners, and about `partners` partners,
 * divided equally among these roots.
 */
export interface PollLimits {
  readonly due: number
  readonly roots: number
  readonly partners: number
}

export const pollLimits: PollLimits = { due: 256, roots: 256, partners: 128 }

/** The due jobs of a partner. Times are in milliseconds since 1970, with fractions. */
export interface Head extends Tenancy {
  readonly kind: string
  /** The time since which its first job is due. */
  readonly since: number
  /** Number of due jobs. Null if more jobs are due than a poll reads. */
  readonly due: number | null
  /** The latest turn of the root, and of the partner. Null if there was none. */
  readonly root_turn: number | null
  readonly partner_turn: number | null
}

/** The running jobs of a partner. */
interface Running extends Tenancy {
  readonly kind: string
  readonly jobs: number
}

/** The due and the running jobs, read by one statement. */
export interface Queues {
  /** Milliseconds until the next job is due, among the kinds that this poll reads. Null if none is due within an hour. */
  readonly next_ms: number | null
  /** The time of the database in milliseconds since 1970. */
  readonly database_ms: number
  /** The schema version of the database. Null if the poll did not update the node's entry. */
  readonly schema: StoredSchema | null
  /**
   * Milliseconds by which the latest time in the list of nodes is ahead of the database's clock. Null if the poll did
   * not update the node's entry.
   */
  readonly seen_ahead_ms: number | null
  readonly heads: ReadonlyArray<Head>
  readonly running: ReadonlyArray<Running>
}

/** Converts a PostgreSQL time to milliseconds with fractions, so that turns one microsecond apart stay in order. */
const exactMillis = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`

const nobody = `'${unknownPartner}'::uuid`

/**
 * Selects the first due jobs of a partner, in the order of the index `job_partner`. Compares rows instead of columns:
 * with columns, PostgreSQL could choose the index `job_due`, and read the due jobs of all partners.
 */
export const dueOf = (queue: string, columns: string) => `
  select ${columns} from job
  where (job.kind, job.root_id, job.partner_id, job.run_at)
      >= (${queue}.kind, ${queue}.root_id, ${queue}.partner_id, '-infinity'::timestamptz)
    and (job.kind, job.root_id, job.partner_id, job.run_at)
      <= (${queue}.kind, ${queue}.root_id, ${queue}.partner_id, now())
  order by job.kind, job.root_id, job.partner_id, job.run_at`

/** Selects the next root among the jobs of a kind. After the last root, selects the first one. */
const rootAfter = (kind: string, root: string) => `
  select coalesce(
    (select root_id from job where job.kind = ${kind} and root_id > ${root} order by root_id limit 1),
    (select root_id from job where job.kind = ${kind} order by root_id limit 1)
  ) as root_id offset 0`

/** Selects the next partner among the jobs of a root. After the last partner, selects the first one. */
const partnerAfter = (root: string, partner: string) => {
  const jobs = `select partner_id from job where job.kind = ${root}.kind and job.root_id = ${root}.root_id`
  return `
    select coalesce(
      (${jobs} and partner_id > ${partner} order by partner_id limit 1), (${jobs} order by partner_id limit 1)
    ) as partner_id offset 0`
}

const latestTurn = (column: string, condition: string) =>
  `(select ${column} from job_turn where ${condition} order by turn_at desc limit 1)`

/** Selects the time of a partner's latest turn by the primary key. */
const turnOfPartner = (head: string) =>
  `(
  select ${exactMillis("turn_at")} from job_turn
  where (job_turn.kind, job_turn.root_id, job_turn.partner_id) >= (${head}.kind, ${head}.root_id, ${head}.partner_id)
    and (job_turn.kind, job_turn.root_id, job_turn.partner_id) <= (${head}.kind, ${head}.root_id, ${head}.partner_id)
  order by job_turn.kind, job_turn.root_id, job_turn.partner_id limit 1
)`

/**
 * Reads the due jobs, grouped by partner, and the running jobs. The number of rows read is bounded, however many jobs
 * are due. If more jobs than `limits.due` are due, reads one index entry per root and per partner, in the order of
 * their ids. Starts after those with the latest turns, so several polls together read all of them.
 */
export const readQueues = (
  sql: SqlClient.SqlClient,
  identity: NodeIdentity,
  { free, limits, queues, skew_ms }: {
    readonly free: FreeSlots
    readonly limits: PollLimits
    readonly queues: ReadonlyArray<string>
    readonly skew_ms: number | null
  }
) => {
  // With parameters instead, PostgreSQL would not reuse the plan.
  const constant = (limit: number) => sql.literal(String(limit))
  // Queues of lenders are always read. Otherwise, each combination of free queues would need its own statement.
  const polled = queues.filter((queue) => queue.includes(":") || free(queue) > 0)
  const kinds = sql.literal(`array[${polled.map((queue) => `'${queue}'`).join(", ")}]`)
  return sql<Queues>`
    with recursive seen as (${enterNode(sql, identity, skew_ms)}),
    slots (kind) as (select unnest(${kinds}::text[])),
    oldest as (
      select slots.kind, first.root_id, first.partner_id, first.run_at
      from slots cross join lateral (
        select root_id, partner_id, run_at from job where job.kind = slots.kind and run_at <= now()
        order by run_at limit ${constant(limits.due + 1)}
      ) first
    ),
    crowded as (select kind from oldest group by kind having count(*) > ${constant(limits.due)}),
    roots (kind, root_id, first_id, number) as (
      select crowded.kind, next.root_id, next.root_id, 1
      from crowded cross join lateral (${
    sql.literal(rootAfter("crowded.kind", `coalesce(${latestTurn("root_id", "kind = crowded.kind")}, ${nobody})`))
  }) next
      union all
      select roots.kind, next.root_id, roots.first_id, roots.number + 1
      from roots cross join lateral (${sql.literal(rootAfter("roots.kind", "roots.root_id"))}) next
      where roots.number < ${constant(limits.roots)} and next.root_id <> roots.first_id
    ),
    widths as (select kind, greatest(${constant(limits.partners)} / count(*), 1) as width from roots group by kind),
    partners (kind, root_id, partner_id, first_id, number) as (
      select roots.kind, roots.root_id, next.partner_id, next.partner_id, 1
      from roots cross join lateral (${
    sql.literal(partnerAfter(
      "roots",
      `coalesce(${latestTurn("partner_id", "kind = roots.kind and root_id = roots.root_id")}, ${nobody})`
    ))
  }) next
      union all
      select partners.kind, partners.root_id, next.partner_id, partners.first_id, partners.number + 1
      from partners join widths on widths.kind = partners.kind
      cross join lateral (${sql.literal(partnerAfter("partners", "partners.partner_id"))}) next
      where partners.number < widths.width and next.partner_id <> partners.first_id
    ),
    heads as (
      select kind, root_id, partner_id, min(run_at) as run_at, count(*)::int as due
      from oldest where kind not in (select kind from crowded) group by kind, root_id, partner_id
      union all
      select queue.kind, queue.root_id, queue.partner_id, first.run_at, null
      from (
        select kind, root_id, partner_id from oldest where kind in (select kind from crowded)
        union select kind, root_id, partner_id from partners
      ) queue cross join lateral (${sql.literal(dueOf("queue", "run_at"))} limit 1) first
    ),
    turns as (
      select kind, root_id, ${
    sql.literal(
      latestTurn(exactMillis("turn_at"), "job_turn.kind = head.kind and job_turn.root_id = head.root_id")
    )
  } as root_turn
      from (select distinct kind, root_id from heads) head
    ),
    running as (
      select kind, root_id, partner_id, count(*)::int as jobs from job
      where owner is not null and run_at > now() and kind in (select kind from heads)
      group by kind, root_id, partner_id
    )
    select
      (
        select coalesce(json_agg(json_build_object(
          'kind', kind, 'root', root_id, 'partner', partner_id, 'due', due, 'root_turn', root_turn,
          'since', ${sql.literal(exactMillis("run_at"))}, 'partner_turn', ${sql.literal(turnOfPartner("heads"))}
        )), '[]') from heads join turns using (kind, root_id)
      ) as heads,
      (
        select coalesce(json_agg(json_build_object('kind', kind, 'root', root_id, 'partner', partner_id, 'jobs', jobs)), '[]')
        from running
      ) as running,
      (
        select ceil(extract(epoch from min(next.run_at) - now()) * 1000)::int
        from slots cross join lateral (
          select run_at from job
          where job.kind = slots.kind and run_at > now() and run_at < now() + interval '1 hour'
          order by run_at limit 1
        ) next
      ) as next_ms,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms,
      case when ${skew_ms !== null}::boolean then ${schemaColumn(sql)} end as schema,
      case when ${skew_ms !== null}::boolean then ${seenAheadColumn(sql)} end as seen_ahead_ms`
}
