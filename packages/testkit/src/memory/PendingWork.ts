import { type Job, type JobProgress } from "@lastro/domain/jobs"
import { type Tenancy } from "@lastro/domain/ports"
import { Context, type Effect } from "effect"

/** A stored job of the in-memory database, with its progress. A job that has ended is removed. */
export interface MemoryJob {
  readonly job: Job
  /** The partner whose turns the job takes. */
  readonly tenancy: Tenancy
  readonly progress: JobProgress
  /** True while the job polls a contract, or a quote that the lender answered PENDING. */
  readonly waiting: boolean
  /**
   * The number of the last start. If it changed during a run, the job was started again, and the outcome of the run
   * does not end it.
   */
  readonly starts: number
  /** Number of times that the job was made due. */
  readonly wakes: number
  /** The time at which the job was last made due, in milliseconds since 1970. Null if never. */
  readonly woken_at: number | null
  /** The time of the first start, in milliseconds since 1970. */
  readonly created_at: number
  /** The time of the next run, in milliseconds since 1970. */
  readonly due_at: number
  /** True during a run. */
  readonly running: boolean
  /** Number of consecutive failed runs. */
  readonly failures: number
  /** The reason why the last run failed or got no answer. Otherwise null. */
  readonly last_error: string | null
  /** The `traceparent` of the caller that started the job, or null. */
  readonly traceparent: string | null
}

/** A callback of the lender with a callback key. */
export interface StoredCallback {
  readonly lender_state: string | null
  /** The time of the callback, in milliseconds since 1970. */
  readonly called_at: number
}

/** The durable jobs of the in-memory database. */
export class PendingWork extends Context.Service<PendingWork, {
  /**
   * The jobs that still need an answer of the lender, oldest first. Jobs that poll a contract or a PENDING quote are
   * not included.
   */
  readonly pending: Effect.Effect<ReadonlyArray<Job>>
  /**
   * Waits until no job is pending, including jobs that start during the wait. Then appends the events of expired
   * applications. Jobs that do not run on commit are run here, one at a time.
   */
  readonly finish: Effect.Effect<void>
  /**
   * Polls the lender once for every contract in progress and every PENDING quote, one at a time. Returns their number.
   */
  readonly poll: Effect.Effect<number>
}>()("@lastro/testkit/memory/PendingWork") {}
