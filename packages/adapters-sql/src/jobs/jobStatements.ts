import { type Job, jobAnswered, jobKinds, type JobOutcome, type JobProgress } from "@lastro/domain/jobs"
import { type Tenancy, unknownTenancy } from "@lastro/domain/ports"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type StoredSchema } from "../migrations/storedSchema.ts"
import { forgetCallbacks, fromMillis, meetCallback, unknownPartner } from "./dueJobs.ts"
import { enterNode, makeNodeEntries, type NodeIdentity, schemaColumn } from "./nodeEntries.ts"

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

/** Returns the value of the column `lender_state`. */
const columnOf = ({ lender_state = null, unwanted_reference = null }: JobProgress): string | null =>
  lender_state ?? unwanted_reference

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

/** Maximum number of due jobs of a kind and a root partner that a poll orders. */
const orderedOfRoot = 1_000

/** Selects the root partners of the stored jobs of each kind with free slots. Reads one index entry for each of them. */
const rootsOf = (sql: SqlClient.SqlClient) =>
  sql`
    select slots.kind, first.root_id
    from slots cross join lateral (
      select root_id from job where job.kind = slots.kind order by root_id limit 1
    ) first
    where slots.free > 0
    union all
    select roots.kind, next.root_id
    from roots cross join lateral (
      select root_id from job where job.kind = roots.kind and job.root_id > roots.root_id order by root_id limit 1
    ) next`

/**
 * Selects the due jobs of each kind with their `place` in the order of the rule `inTurns` (TURN-01): the number of jobs of
 * the same root that run or come before.
 */
const placesInTurns = (sql: SqlClient.SqlClient) =>
  sql`
    with running as (
      select kind, root_id, partner_id, count(*) as jobs from job
      where owner is not null and run_at > now() group by kind, root_id, partner_id
    ),
    of_partners as (
      select roots.kind, roots.root_id, first.id, first.run_at,
        coalesce(running.jobs, 0) + row_number() over (
          partition by roots.kind, roots.root_id, first.partner_id order by first.run_at, first.id
        ) as place
      from roots cross join lateral (
        select id, partner_id, run_at from job
        where job.kind = roots.kind and job.root_id = roots.root_id and job.run_at <= now()
        order by run_at limit ${orderedOfRoot}
      ) first
      left join running on running.kind = roots.kind and running.root_id = roots.root_id
        and running.partner_id = first.partner_id
    )
    select kind, id, run_at,
      coalesce((
        select sum(jobs) from running where running.kind = one.kind and running.root_id = one.root_id
      ), 0) + row_number() over (partition by kind, root_id order by place, run_at, id) as place
    from of_partners one`

/** Creates the statements of a node that runs jobs. All times are those of the database. */
export const makeJobStatements = (sql: SqlClient.SqlClient, identity: NodeIdentity) => {
  const { id: node } = identity
  const isHeld = ({ fence, job: { id, kind } }: LeasedJob) =>
    sql`kind = ${kind} and id = ${id} and owner = ${node} and fence = ${fence}`

  /**
   * Ends the lease of a job, which becomes due after a delay. If the job was started again in the meantime, it becomes
   * due at once, and begins anew. If a callback has stored a `lender_state` in the meantime, that state is kept. If the
   * job gets a new callback key with which the lender has already called back, it becomes due (LENDER-22).
   */
  const giveBack = Effect.fnUntraced(function*(
    leased: LeasedJob,
    after_ms: number,
    progress: JobProgress,
    failure: { readonly failures: number; readonly text: string | null }
  ) {
    const { attempt, callback_key = null, pauses, slot_at = null } = progress
    const given = columnOf(leased.progress)
    const isNewKey = callback_key !== null && callback_key !== (leased.progress.callback_key ?? null)
    const met = isNewKey ? yield* meetCallback(sql, leased.job.id, callback_key) : undefined
    const state = met?.lender_state ?? columnOf(progress)
    const woken_at = met === undefined ? sql`woken_at` : sql`greatest(woken_at, ${fromMillis(sql, met.due_at)})`
    const after = sql`now() + ${Math.ceil(after_ms)} * interval '1 millisecond'`
    yield* sql`
      update job set
        owner = null, silent = 0, failures = ${failure.failures}, failure = ${failure.text},
        attempt = case when starts = ${leased.starts} then ${attempt} else attempt end,
        pauses = case when starts = ${leased.starts} then ${pauses} else pauses end,
        lender_state = case
          when starts = ${leased.starts} and lender_state is not distinct from ${given}::text then ${state}::text
          else lender_state
        end,
        callback_key = case when starts = ${leased.starts} then ${callback_key} else callback_key end,
        slot_at = case when starts = ${leased.starts} then ${slot_at}::float8 else slot_at end,
        woken_at = ${woken_at},
        run_at = case
          when starts <> ${leased.starts} then now()
          when ${
      met !== undefined
    }::boolean or wakes <> ${leased.wakes} then least(${after}, greatest(now(), ${woken_at}))
          else ${after}
        end
      where ${isHeld(leased)}`
  })

  const end = Effect.fnUntraced(function*(leased: LeasedJob) {
    const ended = yield* sql`delete from job where ${isHeld(leased)} and starts = ${leased.starts} returning id`
    if (ended.length > 0) return
    yield* sql`
      update job set owner = null, silent = 0, failures = 0, failure = null, run_at = now()
      where ${isHeld(leased)} and starts <> ${leased.starts}`
  })

  const keysOf = (held: ReadonlyArray<LeasedJob>) =>
    sql`unnest(
      ${held.map(({ job }) => job.kind)}::text[], ${held.map(({ job }) => job.id)}::uuid[],
      ${held.map(({ fence }) => fence)}::bigint[]
    ) as held (kind, id, fence)`
  const isOneOf = sql`job.kind = held.kind and job.id = held.id and job.fence = held.fence and job.owner = ${node}`

  return {
    ...makeNodeEntries(sql, identity),
    /**
     * Leases due jobs, up to the free slots of each kind, in the order of `inTurns` (TURN-01): of each root partner the
     * 1 000 longest overdue jobs take turns. A run handles every
     * callback that arrived before its start; a callback during the run makes the job due again. With `skew_ms`, also
     * updates this node's entry in the list of nodes, and reads the schema version. The update shows that the database
     * accepts writes.
     */
    fetch: (free: FreeSlots, skew_ms: number | null) =>
      Effect.map(
        sql<Omit<JobRound, "jobs"> & { readonly jobs: ReadonlyArray<Fetched> }>`
          with recursive seen as (${enterNode(sql, identity, skew_ms)}),
          slots (kind, free) as (
            select * from unnest(${[...jobKinds]}::text[], ${jobKinds.map((kind) => free[kind])}::int[])
          ),
          roots as (${rootsOf(sql)}),
          ordered as (${placesInTurns(sql)}),
          due as materialized (
            select picked.kind, picked.id, picked.run_at, picked.place
            from slots cross join lateral (
              select job.kind, job.id, job.run_at, ordered.place
              from ordered join job on job.kind = ordered.kind and job.id = ordered.id
              where ordered.kind = slots.kind and job.run_at <= now()
              order by ordered.place, ordered.run_at, ordered.id limit slots.free for update of job skip locked
            ) picked
          ),
          leased as (
            update job set
              owner = ${node}, fence = nextval('job_fence'), silent = job.silent + 1,
              woken_at = case when job.woken_at > now() then now() else job.woken_at end,
              run_at = now() + interval '1 millisecond'
                * least(${leaseMs} * power(2, least(greatest(job.silent - 1, 0), 16)), ${longestLeaseMs})
                * case when job.silent < 2 then 1 else 1 + random() end
            from due where job.kind = due.kind and job.id = due.id
            returning job.kind, job.id, job.attempt, job.pauses, job.failures, job.fence, job.starts,
              job.lender_state, job.callback_key, job.slot_at, job.wakes, job.root_id, job.partner_id, due.place,
              due.run_at as due_at
          )
          select
            (select coalesce(json_agg(leased order by place, due_at, id), '[]') from leased) as jobs,
            (
              select ceil(extract(epoch from min(next.run_at) - now()) * 1000)::int
              from slots cross join lateral (
                select run_at from job
                where job.kind = slots.kind and run_at > now() and run_at < now() + interval '1 hour'
                order by run_at limit 1
              ) next
            ) as next_ms,
            (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms,
            case when ${skew_ms !== null}::boolean then ${schemaColumn(sql)} end as schema`,
        ([row]): JobRound => ({
          jobs: (row?.jobs ?? []).map(leasedJob),
          next_ms: row?.next_ms ?? null,
          database_ms: row?.database_ms ?? 0,
          schema: row?.schema ?? null
        })
      ),
    /**
     * Extends leases, and never shortens one. Returns the leases that this node still holds, each as `id/fence`. Skips
     * a job that another transaction has locked in order to start it again, so that this job does not delay the others.
     */
    renew: (held: ReadonlyArray<LeasedJob>) =>
      Effect.map(
        sql<{ readonly lease: string }>`
          with kept as (
            select job.kind, job.id, job.fence from job join ${keysOf(held)} on ${isOneOf}
          ),
          free as (
            select job.kind, job.id from job join kept using (kind, id) for update of job skip locked
          ),
          renewed as (
            update job set run_at = greatest(job.run_at, now() + ${leaseMs} * interval '1 millisecond')
            from free where job.kind = free.kind and job.id = free.id and job.owner = ${node}
          )
          select id || '/' || fence as lease from kept`,
        (rows) => new Set(rows.map(({ lease }) => lease))
      ),
    /**
     * Records the outcome of a run. `problem` is the reason why the lender gave no answer, without personal data. Does
     * nothing if the lease was lost.
     */
    settle: (leased: LeasedJob, outcome: JobOutcome, problem: string | null = null) => {
      const none = { failures: 0, text: problem }
      switch (outcome._tag) {
        case "DONE":
          return end(leased)
        case "RETRY":
          return giveBack(leased, outcome.after_ms, outcome.progress, none)
        case "WAIT":
          return giveBack(leased, outcome.after_ms, jobAnswered, none)
      }
    },
    /** Records a failed run. `failure` must not contain personal data. */
    fail: (leased: LeasedJob, after_ms: number, failure: string) =>
      giveBack(leased, after_ms, leased.progress, { failures: leased.failures + 1, text: failure }),
    /** Releases jobs without an outcome, so that another node runs them at once. */
    release: (held: ReadonlyArray<LeasedJob>) =>
      sql`update job set owner = null, silent = 0, run_at = now() from ${keysOf(held)} where ${isOneOf}`,
    /** Releases all jobs of this node, and removes the node from the list of nodes. */
    leave: sql`
      with released as (update job set owner = null, silent = 0, run_at = now() where owner = ${node})
      delete from node where id = ${node}`,
    /** Deletes old callback keys, which no run needs any more. */
    forgetCallbacks: forgetCallbacks(sql)
  }
}

/** The statements of a node that runs jobs. */
export type JobStatements = ReturnType<typeof makeJobStatements>
