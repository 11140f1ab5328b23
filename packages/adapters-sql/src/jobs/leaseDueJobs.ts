import { type Job, jobKinds, type JobProgress } from "@lastro/domain/jobs"
import { inTurns, type Tenancy, turnKeys, unknownTenancy, type WaitingWork } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type StoredSchema } from "../migrations/storedSchema.ts"
import { unknownPartner } from "./dueJobs.ts"
import { enterNode, type NodeIdentity, schemaColumn } from "./nodeEntries.ts"

/**
 * A node that runs a job holds a lease of 5 seconds and renews it. If the node dies or freezes, another node runs the
 * job when the lease has expired.
 */
export const leaseMs = 5_000

/**
 * Maximum duration of a longer lease in milliseconds; a random factor may double it. If a job has crashed its process in
 * each of its first two runs, it gets a longer lease in each further run. Other jobs can then run between the crashes.
 * The random factor separates the job from others that were running at the time of a crash.
 */
const longestLeaseMs = 5 * 60_000

/** A job that this node runs. */
export interface LeasedJob {
  readonly job: Job
  readonly progress: JobProgress
  /** The partner in whose turns the job runs (TURN-01). */
  readonly tenancy: Tenancy
  /** Number of failed runs in a row. */
  readonly failures: number
  /** Number of this lease. Only the holder of a job's latest lease can record an outcome. */
  readonly fence: number
  /** Number of times that the job was started. An outcome does not end a job that was started again during the run. */
  readonly starts: number
  /**
   * Number of times that the job was made due. A job that is made due during its run becomes due again when the run
   * ends.
   */
  readonly wakes: number
}

/** The result of a poll for due jobs. */
export interface JobRound {
  readonly jobs: ReadonlyArray<LeasedJob>
  /**
   * Milliseconds until the next job is due, among the kinds of jobs that this poll fetches. Null if no job is due soon.
   */
  readonly next_ms: number | null
  /** The time of the database in milliseconds since 1970. */
  readonly database_ms: number
  /** The schema version of the database. Null if the poll did not update the node's entry in the list of nodes. */
  readonly schema: StoredSchema | null
}

/** Number of further jobs of each kind that the node can run. */
export type FreeSlots = Readonly<Record<Job["kind"], number>>

/**
 * The limits of one poll for each kind of job. If at most `due` jobs are due, the poll reads all of them. If more are
 * due, it reads the first job of up to `partners` partners of up to `roots` root partners.
 */
export interface PollLimits {
  readonly due: number
  readonly roots: number
  readonly partners: number
}

const pollLimits: PollLimits = { due: 256, roots: 256, partners: 128 }

/** The due jobs of a partner. Times are in milliseconds since 1970, with fractions. */
interface Head extends Tenancy {
  readonly kind: string
  /** The time since which the first of them is due. */
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

/** The due and the running jobs, as one statement reads them. */
interface Queues extends Omit<JobRound, "jobs"> {
  readonly heads: ReadonlyArray<Head>
  readonly running: ReadonlyArray<Running>
}

interface Fetched extends Omit<LeasedJob, "job" | "progress" | "tenancy"> {
  readonly kind: Job["kind"]
  readonly id: string
  readonly attempt: number
  readonly pauses: number
  readonly lender_state: string | null
  readonly callback_key: string | null
  readonly slot_at: number | null
  readonly root_id: string
  readonly partner_id: string
}

/** Returns the meaning of the column `lender_state`, which depends on the kind of the job. */
const textOf = (kind: Job["kind"], text: string, callback_key: string | null) =>
  kind === "contract" ? { unwanted_reference: text } : { lender_state: text, callback_key }

const leasedJob = (
  {
    attempt,
    callback_key,
    failures,
    fence,
    id,
    kind,
    lender_state,
    partner_id,
    pauses,
    root_id,
    slot_at,
    starts,
    wakes
  }: Fetched
): LeasedJob => ({
  job: { kind, id } as Job,
  progress: {
    attempt,
    pauses,
    ...(lender_state === null ? {} : textOf(kind, lender_state, callback_key)),
    ...(slot_at === null ? {} : { slot_at })
  },
  tenancy: root_id === unknownPartner ? unknownTenancy : { root: root_id, partner: partner_id },
  failures,
  fence,
  starts,
  wakes
})

/** Converts a time of PostgreSQL to milliseconds with fractions, so that turns one microsecond apart have an order. */
const exactMillis = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`

const nobody = `'${unknownPartner}'::uuid`

/**
 * Selects the first due jobs of a partner, in the order of the index `job_partner`. Rows are compared, because with
 * compared columns PostgreSQL can choose the index `job_due` instead and read the due jobs of everybody.
 */
const dueOf = (queue: string, columns: string) => `
  select ${columns} from job
  where (job.kind, job.root_id, job.partner_id, job.run_at)
      >= (${queue}.kind, ${queue}.root_id, ${queue}.partner_id, '-infinity'::timestamptz)
    and (job.kind, job.root_id, job.partner_id, job.run_at)
      <= (${queue}.kind, ${queue}.root_id, ${queue}.partner_id, now())
  order by job.kind, job.root_id, job.partner_id, job.run_at`

/** Selects the root that follows another one in the jobs of a kind. The first one follows the last one. */
const rootAfter = (kind: string, root: string) => `
  select coalesce(
    (select root_id from job where job.kind = ${kind} and root_id > ${root} order by root_id limit 1),
    (select root_id from job where job.kind = ${kind} order by root_id limit 1)
  ) as root_id offset 0`

/** Selects the partner that follows another one in the jobs of a root. The first one follows the last one. */
const partnerAfter = (root: string, partner: string) => {
  const jobs = `select partner_id from job where job.kind = ${root}.kind and job.root_id = ${root}.root_id`
  return `
    select coalesce(
      (${jobs} and partner_id > ${partner} order by partner_id limit 1), (${jobs} order by partner_id limit 1)
    ) as partner_id offset 0`
}

const latestTurn = (column: string, condition: string) =>
  `(select ${column} from job_turn where ${condition} order by turn_at desc limit 1)`

/** Selects the time of the latest turn of a partner, by the primary key. */
const turnOfPartner = (head: string) =>
  `(
  select ${exactMillis("turn_at")} from job_turn
  where (job_turn.kind, job_turn.root_id, job_turn.partner_id) >= (${head}.kind, ${head}.root_id, ${head}.partner_id)
    and (job_turn.kind, job_turn.root_id, job_turn.partner_id) <= (${head}.kind, ${head}.root_id, ${head}.partner_id)
  order by job_turn.kind, job_turn.root_id, job_turn.partner_id limit 1
)`

/**
 * Reads the due jobs, grouped by partner, and the running jobs. The number of rows that it reads is limited, however many
 * jobs are due. If more jobs are due than `limits.due`, it reads one index entry for each root and each partner, in the
 * order of their ids. It begins after those with the latest turns, so that over several polls all of them are read.
 */
const readQueues = (
  sql: SqlClient.SqlClient,
  identity: NodeIdentity,
  { free, limits, skew_ms }: { readonly free: FreeSlots; readonly limits: PollLimits; readonly skew_ms: number | null }
) =>
  sql<Queues>`
    with recursive seen as (${enterNode(sql, identity, skew_ms)}),
    slots (kind) as (select unnest(${jobKinds.filter((kind) => free[kind] > 0)}::text[])),
    oldest as (
      select slots.kind, first.root_id, first.partner_id, first.run_at
      from slots cross join lateral (
        select root_id, partner_id, run_at from job where job.kind = slots.kind and run_at <= now()
        order by run_at limit ${limits.due + 1}
      ) first
    ),
    crowded as (select kind from oldest group by kind having count(*) > ${limits.due}),
    roots (kind, root_id, first_id, number) as (
      select crowded.kind, next.root_id, next.root_id, 1
      from crowded cross join lateral (${
    sql.literal(rootAfter("crowded.kind", `coalesce(${latestTurn("root_id", "kind = crowded.kind")}, ${nobody})`))
  }) next
      union all
      select roots.kind, next.root_id, roots.first_id, roots.number + 1
      from roots cross join lateral (${sql.literal(rootAfter("roots.kind", "roots.root_id"))}) next
      where roots.number < ${limits.roots} and next.root_id <> roots.first_id
    ),
    widths as (select kind, greatest(${limits.partners} / count(*), 1) as width from roots group by kind),
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
      case when ${skew_ms !== null}::boolean then ${schemaColumn(sql)} end as schema`

/** Returns the keys of the latest turns, in the order of these turns. */
const servedOf = (heads: ReadonlyArray<Head>): ReadonlyArray<string> => {
  const turns = new Map<string, number>()
  for (const head of heads) {
    const [root, partner] = turnKeys(head)
    if (head.root_turn !== null) turns.set(root, head.root_turn)
    if (head.partner_turn !== null) turns.set(partner, head.partner_turn)
  }
  return Array.from(turns).toSorted(([, one], [, other]) => one - other).map(([key]) => key)
}

/** A turn: a job of this partner is leased. */
interface Turn extends Tenancy {
  readonly kind: Job["kind"]
}

/** Returns the turns of the due jobs of a kind (TURN-01). */
const turnsOf = (kind: Job["kind"], { heads, running }: Queues, free: number): ReadonlyArray<Turn> => {
  const own = heads.filter((head) => head.kind === kind)
  const waiting = own.map(({ due, partner, root, since }): WaitingWork => ({
    root,
    partner,
    since,
    times: due === null ? free : Math.min(due, free)
  }))
  const turns = {
    running: running.filter((one) => one.kind === kind).flatMap((one) => Array.from({ length: one.jobs }, () => one)),
    served: servedOf(own)
  }
  return inTurns(waiting, turns, free).map(({ partner, root }) => ({ kind, root, partner }))
}

/** Leases the longest overdue jobs of the partners whose turns these are, and stores the turns. */
const leaseTurns = (sql: SqlClient.SqlClient, node: string, turns: ReadonlyArray<Turn>) =>
  sql<Fetched>`
    with turn as (
      select kind, root_id, partner_id, place,
        row_number() over (partition by kind, root_id, partner_id order by place) as number
      from unnest(
        ${turns.map(({ kind }) => kind)}::text[], ${turns.map(({ root }) => root)}::uuid[],
        ${turns.map(({ partner }) => partner)}::uuid[]
      ) with ordinality as given (kind, root_id, partner_id, place)
    ),
    queue as (
      select kind, root_id, partner_id, count(*) as turns, max(place) as place from turn
      group by kind, root_id, partner_id
    ),
    due as materialized (
      select queue.root_id, queue.partner_id, first.kind, first.id, first.run_at
      from queue cross join lateral (
        ${sql.literal(dueOf("queue", "kind, id, run_at"))} limit queue.turns for update skip locked
      ) first
    ),
    placed as (
      select kind, id, place from (
        select kind, id, root_id, partner_id,
          row_number() over (partition by kind, root_id, partner_id order by run_at, id) as number
        from due
      ) numbered join turn using (kind, root_id, partner_id, number)
    ),
    turned as (
      insert into job_turn (kind, root_id, partner_id, turn_at)
      select kind, root_id, partner_id, now() + place * interval '1 microsecond' from queue
      where (kind, root_id, partner_id) in (select kind, root_id, partner_id from due)
      order by kind, root_id, partner_id
      on conflict (kind, root_id, partner_id) do update set turn_at = greatest(job_turn.turn_at, excluded.turn_at)
    ),
    leased as (
      update job set
        owner = ${node}, fence = nextval('job_fence'), silent = job.silent + 1,
        woken_at = case when job.woken_at > now() then now() else job.woken_at end,
        run_at = now() + interval '1 millisecond'
          * least(${leaseMs} * power(2, least(greatest(job.silent - 1, 0), 16)), ${longestLeaseMs})
          * case when job.silent < 2 then 1 else 1 + random() end
      from placed where job.kind = placed.kind and job.id = placed.id
      returning job.kind, job.id, job.attempt, job.pauses, job.failures, job.fence, job.starts, job.lender_state,
        job.callback_key, job.slot_at, job.wakes, job.root_id, job.partner_id, placed.place
    )
    select kind, id, attempt, pauses, failures, fence::float8, starts, lender_state, callback_key, slot_at, wakes, root_id,
      partner_id
    from leased order by kind desc, place`

/**
 * Creates the poll for due jobs. It leases due jobs, up to the free slots of each kind, in the order of `inTurns` (TURN-01).
 * The latest turns of each partner are stored, so that the order is the same over several polls of several nodes. A run
 * handles every callback that arrived before its start; a callback during the run makes the job due again. With `skew_ms`,
 * the poll also updates this node's entry in the list of nodes, and reads the schema version. The update shows that the
 * database accepts writes.
 */
export const makeLease = (sql: SqlClient.SqlClient, identity: NodeIdentity, limits: PollLimits = pollLimits) =>
  Effect.fnUntraced(function*(free: FreeSlots, skew_ms: number | null) {
    const [queues] = yield* readQueues(sql, identity, { free, limits, skew_ms })
    if (queues === undefined) return { jobs: [], next_ms: null, database_ms: 0, schema: null } satisfies JobRound
    const { database_ms, heads, next_ms, schema } = queues
    const turns = jobKinds.flatMap((kind) => turnsOf(kind, queues, free[kind]))
    if (turns.length === 0) return { jobs: [], next_ms, database_ms, schema } satisfies JobRound
    const leased = yield* leaseTurns(sql, identity.id, turns)
    const jobs = leased.map(leasedJob)
    // A partner had fewer due jobs than turns, so other partners may have due jobs left.
    const hasMore = heads.some(({ due }) => due === null) && jobs.length > 0 && jobs.length < turns.length
    return { jobs, next_ms: hasMore ? 0 : next_ms, database_ms, schema } satisfies JobRound
  })

/** Deletes turns that are a day old. A partner without a stored turn gets the next one. */
export const forgetTurns = (sql: SqlClient.SqlClient) =>
  sql`
    delete from job_turn where (kind, root_id, partner_id) in (
      select kind, root_id, partner_id from job_turn where turn_at < now() - interval '1 day'
      limit 1000 for update skip locked
    )`
