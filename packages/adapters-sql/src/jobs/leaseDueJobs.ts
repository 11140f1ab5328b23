import { type Job, jobInQueue, jobKinds, type JobProgress } from "@lastro/domain/jobs"
import { inTurns, type Tenancy, turnKeys, unknownTenancy, type WaitingWork } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { unknownPartner } from "./dueJobs.ts"
import { type NodeIdentity } from "./nodeEntries.ts"
import { dueOf, type FreeSlots, type Head, type PollLimits, pollLimits, type Queues, readQueues } from "./readQueues.ts"

/**
 * Duration of a lease in milliseconds. A node that runs a job holds a lease and renews it. If the node dies or freezes,
 * another node runs the job after the lease has expired.
 */
export const leaseMs = 5_000

/**
 * Maximum duration of a lease in milliseconds, without its random factor from 1 to 2. If the process crashed in both of
 * the first two runs of a job, each further run gets a longer lease. So other jobs can run between the crashes. The
 * random factor separates the job from others that ran at the time of a crash.
 */
const longestLeaseMs = 5 * 60_000

/** A job that this node runs. */
export interface LeasedJob {
  readonly job: Job
  readonly progress: JobProgress
  /** The partner whose turns the job uses (TURN-01). */
  readonly tenancy: Tenancy
  /** Number of consecutive failed runs. */
  readonly failures: number
  /** The number of this lease. Only the holder of the latest lease of a job can record an outcome. */
  readonly fence: number
  /**
   * Number of times that the job was started. If it was started again during a run, the outcome of the run does not end
   * it.
   */
  readonly starts: number
  /** Number of times that the job was made due. If it was made due during a run, it is due again after the run. */
  readonly wakes: number
  /** The `traceparent` of the request that started the job, or null. */
  readonly traceparent: string | null
}

/** The result of a poll for due jobs. */
interface PollResult extends Omit<Queues, "heads" | "running"> {
  readonly jobs: ReadonlyArray<LeasedJob>
}

interface LeasedRow extends Omit<LeasedJob, "job" | "progress" | "tenancy"> {
  readonly kind: string
  readonly id: string
  readonly attempt: number
  readonly pauses: number
  readonly is_poll_next: boolean
  readonly lender_state: string | null
  readonly callback_key: string | null
  readonly slot_at: number | null
  readonly root_id: string
  readonly partner_id: string
}

/**
 * Returns the text in the column `lender_state`. It has the state of the lender for a quote, and the reference of an
 * unwanted contract for a contract.
 */
export const storedText = ({ lender_state = null, unwanted_reference = null }: JobProgress): string | null =>
  lender_state ?? unwanted_reference

/** Returns the progress that has this text in the column `lender_state`. */
const progressOfText = (kind: Job["kind"], text: string, callback_key: string | null) =>
  kind === "contract" ? { unwanted_reference: text } : { lender_state: text, callback_key }

const leasedJob = (
  job: Job,
  {
    attempt,
    callback_key,
    failures,
    fence,
    lender_state,
    partner_id,
    pauses,
    is_poll_next,
    root_id,
    slot_at,
    starts,
    traceparent,
    wakes
  }: LeasedRow
): LeasedJob => ({
  job,
  progress: {
    attempt,
    pauses,
    ...(is_poll_next ? { is_poll_next } : {}),
    ...(lender_state === null ? {} : progressOfText(job.kind, lender_state, callback_key)),
    ...(slot_at === null ? {} : { slot_at })
  },
  tenancy: root_id === unknownPartner ? unknownTenancy : { root: root_id, partner: partner_id },
  failures,
  fence,
  starts,
  wakes,
  traceparent
})

/** Returns the keys of the roots and partners that have had a turn, in the order of their latest turns. */
const servedOf = (heads: ReadonlyArray<Head>): ReadonlyArray<string> => {
  const turns = new Map<string, number>()
  for (const head of heads) {
    const [root, partner] = turnKeys(head)
    if (head.root_turn !== null) turns.set(root, head.root_turn)
    if (head.partner_turn !== null) turns.set(partner, head.partner_turn)
  }
  return Array.from(turns).toSorted(([, a], [, b]) => a - b).map(([key]) => key)
}

/** A turn of a partner to run a due job. `kind` is the job's queue. */
interface Turn extends Tenancy {
  readonly kind: string
}

/** Returns the turns for the due jobs of a queue (TURN-01). */
const turnsOf = (kind: string, { heads, running }: Queues, free: number): ReadonlyArray<Turn> => {
  const headsOfQueue = heads.filter((head) => head.kind === kind)
  const waiting = headsOfQueue.map(({ due, partner, root, since }): WaitingWork => ({
    root,
    partner,
    since,
    times: due === null ? free : Math.min(due, free)
  }))
  const work = {
    // A partner is listed once per running job.
    running: running
      .filter((group) => group.kind === kind)
      .flatMap((group) => Array.from({ length: group.jobs }, () => group)),
    served: servedOf(headsOfQueue)
  }
  return inTurns(waiting, work, free).map(({ partner, root }) => ({ kind, root, partner }))
}

/** For each turn, leases the partner's longest overdue job. Stores the turns that were used. */
const leaseTurns = (sql: SqlClient.SqlClient, node: string, turns: ReadonlyArray<Turn>) =>
  sql<LeasedRow>`
    with turn as (
      select kind, root_id, partner_id, place,
        row_number() over (partition by kind, root_id, partner_id order by place) as number
      from unnest(
        ${turns.map(({ kind }) => kind)}::text[], ${turns.map(({ root }) => root)}::uuid[],
        ${turns.map(({ partner }) => partner)}::uuid[]
      ) with ordinality as given (kind, root_id, partner_id, place)
    ),
    queue as (
      select kind, root_id, partner_id, count(*) as turns from turn
      group by kind, root_id, partner_id
    ),
    due as materialized (
      select queue.root_id, queue.partner_id, first.kind, first.id, first.run_at
      from queue cross join lateral (
        ${sql.literal(dueOf("queue", "kind, id, run_at"))} limit queue.turns for update skip locked
      ) first
    ),
    placed as (
      select kind, root_id, partner_id, id, place from (
        select kind, id, root_id, partner_id,
          row_number() over (partition by kind, root_id, partner_id order by run_at, id) as number
        from due
      ) numbered join turn using (kind, root_id, partner_id, number)
    ),
    turned as (
      insert into job_turn (kind, root_id, partner_id, turn_at)
      select kind, root_id, partner_id, now() + max(place) * interval '1 microsecond' from placed
      group by kind, root_id, partner_id order by kind, root_id, partner_id
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
      returning job.kind, job.id, job.attempt, job.pauses, job.is_poll_next, job.failures, job.fence, job.starts, job.lender_state,
        job.callback_key, job.slot_at, job.wakes, job.root_id, job.partner_id,
        job.traceparent, placed.place
    )
    select kind, id, attempt, pauses, is_poll_next, failures, fence::float8, starts, lender_state, callback_key, slot_at,
      wakes, root_id, partner_id, traceparent
    from leased order by kind desc, place`

/**
 * Creates the poll for due jobs of the queues `names`. It leases due jobs up to the free slots of each queue, in the
 * order of `inTurns` (TURN-01). It stores the latest turn of each partner, so that the order continues over polls of
 * all nodes.
 *
 * A run handles every callback that arrived before its start. A callback during the run makes the job due again. With
 * `skew_ms`, the poll also updates this node's entry in the list of nodes, which shows that the database accepts
 * writes. It then reads the schema version, too.
 */
export const makeLease = (
  sql: SqlClient.SqlClient,
  identity: NodeIdentity,
  limits: PollLimits = pollLimits,
  names: ReadonlyArray<string> = jobKinds
) =>
  Effect.fnUntraced(function*(free: FreeSlots, skew_ms: number | null) {
    const [queues] = yield* readQueues(sql, identity, { free, limits, queues: names, skew_ms })
    if (queues === undefined) {
      return { jobs: [], next_ms: null, database_ms: 0, schema: null, seen_ahead_ms: null } satisfies PollResult
    }
    const { heads, running: _, ...others } = queues
    const { next_ms } = others
    const turns = names.flatMap((queue) => turnsOf(queue, queues, free(queue)))
    if (turns.length === 0) return { ...others, jobs: [] } satisfies PollResult
    const leased = yield* leaseTurns(sql, identity.id, turns)
    const jobs = leased.flatMap((row) => {
      const job = jobInQueue(row.kind, row.id)
      return job === undefined ? [] : [leasedJob(job, row)]
    })
    // A partner had fewer due jobs than turns. Other partners may have due jobs left.
    const hasMore = heads.some(({ due }) => due === null) && jobs.length > 0 && jobs.length < turns.length
    return { ...others, jobs, next_ms: hasMore ? 0 : next_ms } satisfies PollResult
  })

/** Deletes turns that are a day old. A partner without a stored turn gets the next turn. */
export const forgetTurns = (sql: SqlClient.SqlClient) =>
  sql`
    delete from job_turn where (kind, root_id, partner_id) in (
      select kind, root_id, partner_id from job_turn where turn_at < now() - interval '1 day'
      limit 1000 for update skip locked
    )`
