import { type Job, type JobProgress } from "@lastro/domain/jobs"
import { type Tenancy } from "@lastro/domain/ports"
import { Context, type Effect } from "effect"

/** A stored job of the in-memory database, with its progress. A job that has ended is removed. */
export interface MemoryJob {
  readonly job: Job
  /** The partner in whose turns the job runs. */
  readonly tenancy: Tenancy
  readonly progress: JobProgress
  /**
   * True while the job polls a contract that the lender processes, or a quote that the lender answered with PENDING.
   */
  readonly waiting: boolean
  /**
   * The number of the last start. Every start has another number. If a job was started again during a run, the outcome
   * of this run does not end the job.
   */
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
  /** The `traceparent` of the caller that started the job; null if there is none. */
  readonly traceparent: string | null
}

/** A callback of the lender that contains a callback key. */
export interface StoredCallback {
  readonly lender_state: string | null
  /** The time of the callback, in milliseconds since 1970. */
  readonly called_at: number
}

/** The durable jobs of the in-memory database. */
export class PendingWork extends Context.Service<PendingWork, {
  /**
   * The jobs that still need an answer of the lender, oldest first, without those that poll a contract or a PENDING
   * quote.
   */
  readonly pending: Effect.Effect<ReadonlyArray<Job>>
  /**
   * Waits until no job is pending, including jobs that start during the wait. If jobs do not run automatically, runs
   * them one at a time, and then appends the events of applications whose offers have expired.
   */
  readonly finish: Effect.Effect<void>
  /**
   * Polls the lender once for every contract that it processes and every quote that it answered with PENDING, one at a
   * time. Returns the number of polled contracts and quotes.
   */
  readonly poll: Effect.Effect<number>
}>()("@lastro/testkit/memory/PendingWork") {}
