import { jobAnswered, jobKinds, type JobOutcome, type JobProgress, queueOf } from "@lastro/domain/jobs"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { forgetCallbacks, fromMillis, storeCallbackKey } from "./dueJobs.ts"
import { followClock } from "./followClock.ts"
import { forgetTurns, type LeasedJob, leaseMs, makeLease, storedText } from "./leaseDueJobs.ts"
import { makeNodeEntries, type NodeIdentity } from "./nodeEntries.ts"
import { type PollLimits } from "./readQueues.ts"

/** Creates the statements of a node that runs jobs of some queues. All times are those of the database. */
export const makeJobStatements = (
  sql: SqlClient.SqlClient,
  identity: NodeIdentity,
  limits?: PollLimits,
  queues: ReadonlyArray<string> = jobKinds
) => {
  const { id: node } = identity
  const isHeld = ({ fence, job }: LeasedJob) =>
    sql`kind = ${queueOf(job)} and id = ${job.id} and owner = ${node} and fence = ${fence}`

  /**
   * Ends the lease of a job. The job becomes due after a delay. It becomes due at once if it was started again
   * meanwhile, or if the lender has already called back with its new callback key (LENDER-22). A `lender_state` that a
   * callback stored meanwhile is kept.
   */
  const giveBack = Effect.fnUntraced(function*(
    leased: LeasedJob,
    after_ms: number,
    progress: JobProgress,
    failure: { readonly failures: number; readonly text: string | null }
  ) {
    const { attempt, callback_key = null, is_poll_next = false, pauses, slot_at = null } = progress
    const leasedState = storedText(leased.progress)
    const isNewKey = callback_key !== null && callback_key !== (leased.progress.callback_key ?? null)
    const callback = isNewKey ? yield* storeCallbackKey(sql, leased.job, callback_key) : undefined
    const hasCallback = callback !== undefined
    const state = callback?.lender_state ?? storedText(progress)
    const woken_at = hasCallback ? sql`greatest(woken_at, ${fromMillis(sql, callback.due_at)})` : sql`woken_at`
    const after = sql`now() + ${Math.ceil(after_ms)} * interval '1 millisecond'`
    yield* sql`
      update job set
        owner = null, silent = 0, failures = ${failure.failures}, failure = ${failure.text},
        attempt = case when starts = ${leased.starts} then ${attempt} else attempt end,
        pauses = case when starts = ${leased.starts} then ${pauses} else pauses end,
        is_poll_next = starts = ${leased.starts} and ${is_poll_next}::boolean,
        lender_state = case
          when starts = ${leased.starts} and lender_state is not distinct from ${leasedState}::text then ${state}::text
          else lender_state
        end,
        callback_key = case when starts = ${leased.starts} then ${callback_key} else callback_key end,
        slot_at = case when starts = ${leased.starts} then ${slot_at}::float8 else slot_at end,
        woken_at = ${woken_at},
        run_at = case
          when starts <> ${leased.starts} then now()
          when ${hasCallback}::boolean or wakes <> ${leased.wakes} then least(${after}, greatest(now(), ${woken_at}))
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
      ${held.map(({ job }) => queueOf(job))}::text[], ${held.map(({ job }) => job.id)}::uuid[],
      ${held.map(({ fence }) => fence)}::bigint[]
    ) as held (kind, id, fence)`
  const isOneOf = sql`job.kind = held.kind and job.id = held.id and job.fence = held.fence and job.owner = ${node}`

  return {
    ...makeNodeEntries(sql, identity),
    fetch: makeLease(sql, identity, limits, queues),
    /**
     * Extends leases. Never shortens one. Returns the leases that this node still holds, each as `id/fence`. Skips a
     * job whose row is locked because it is being started again, so that it does not delay the others.
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
      const noFailure = { failures: 0, text: problem }
      switch (outcome._tag) {
        case "DONE":
          return end(leased)
        case "RETRY":
          return giveBack(leased, outcome.after_ms, outcome.progress, noFailure)
        case "WAIT":
          return giveBack(leased, outcome.after_ms, jobAnswered, noFailure)
      }
    },
    /** Records a failed run. `failure` must not contain personal data. */
    fail: (leased: LeasedJob, after_ms: number, failure: string) =>
      giveBack(leased, after_ms, leased.progress, { failures: leased.failures + 1, text: failure }),
    /** Gives up the leases of unfinished jobs, without an outcome. They are due at once, so another node can run them. */
    release: (held: ReadonlyArray<LeasedJob>) =>
      sql`update job set owner = null, silent = 0, run_at = now() from ${keysOf(held)} where ${isOneOf}`,
    /** Releases all jobs of this node, and removes it from the list of nodes. */
    leave: sql`
      with released as (update job set owner = null, silent = 0, run_at = now() where owner = ${node})
      delete from node where id = ${node}`,
    /** If the clock of the database was set back, moves the times that work waits for (JOB-09). */
    followClock: followClock(sql),
    forgetCallbacks: forgetCallbacks(sql),
    forgetTurns: forgetTurns(sql)
  }
}

export type JobStatements = ReturnType<typeof makeJobStatements>
