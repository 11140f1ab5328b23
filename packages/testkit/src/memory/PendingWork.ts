import { type Job, type JobProgress } from "@lastro/domain/origination"
import { Context, type Effect } from "effect"

/** A job in memory and its progress. A job that has ended is not stored. */
export interface MemoryJob {
  readonly job: Job
  readonly progress: JobProgress
  /** True while the job polls a contract that the lender processes, or a quote that the lender answered with PENDING. */
  readonly waiting: boolean
  /** Number of the last start, which no other start has. An outcome does not end a job that was started again during the run. */
  readonly starts: number
  /** Number of times the job was made due. */
  readonly wakes: number
  /** The time at which the job was last made due, in milliseconds; null if never. */
  readonly woken_at: number | null
  /** The time of the first start, in milliseconds since 1970. */
  readonly created_at: number
  /** The time of the next run, in milliseconds since 1970. */
  readonly due_at: number
  /** True during a run. */
  readonly running: boolean
  /** Number of failed runs in a row. */
  readonly failures: number
  /** The reason why the last run failed or got no answer; null if there is none. */
  readonly last_error: string | null
}

/** A callback of the lender that names a key. */
export interface StoredCallback {
  readonly lender_state: string | null
  /** In milliseconds since 1970. */
  readonly called_at: number
}

/** The durable jobs of the in-memory database. */
export class PendingWork extends Context.Service<PendingWork, {
  /** The jobs that await an answer of the lender, oldest first. Jobs that poll a contract or a quote are not included. */
  readonly pending: Effect.Effect<ReadonlyArray<Job>>
  /**
   * Waits until no job is pending, including jobs that start during the wait. If jobs do not run automatically, runs
   * them one at a time.
   */
  readonly finish: Effect.Effect<void>
  /**
   * Polls the lender for every contract that it processes and every quote that it answered with PENDING, once and one at a time. Returns the
   * number of both.
   */
  readonly poll: Effect.Effect<number>
}>()("@lastro/testkit/memory/PendingWork") {}
