import { Context, type Effect, type Option } from "effect"
import { type Timestamp } from "../../time/Timestamp.ts"

/** The key of a stored job. A newer version may have stored kinds that this version does not know. */
export interface JobKey {
  readonly kind: string
  /** A UUID: the id of the quote or of the proposal. */
  readonly id: string
}

/** A durable job as it is stored. It contains no personal data. */
export interface StoredJob extends JobKey {
  /** RUNNING: a node runs it. DUE: a node will fetch it at once. WAITING: it runs again at `due_at`. */
  readonly state: "RUNNING" | "DUE" | "WAITING"
  readonly created_at: Timestamp
  /** The time of the next run. While the job is running, the time at which another node takes it over if this one is lost. */
  readonly due_at: Timestamp
  /** Number of the next call to the lender, starting at 1; 0 after its answer. */
  readonly attempt: number
  /** Number of runs in a row that failed because of the database or a defect. */
  readonly failures: number
  /** The reason why the last run failed or got no answer of the lender; null if there is none. */
  readonly last_error: string | null
}

/** Reads and ends the stored durable jobs. For the operator only. */
export class StoredJobs extends Context.Service<StoredJobs, {
  /** Returns the stored jobs, the longest due first, up to `limit`. A job that has ended is not stored. */
  readonly list: (limit: number) => Effect.Effect<ReadonlyArray<StoredJob>>
  /** Returns the stored job with this key. */
  readonly find: (key: JobKey) => Effect.Effect<Option.Option<StoredJob>>
  /**
   * Ends a job: removes it, so that it does not run again. Joins the surrounding transaction. A run in progress records no outcome with the
   * job. A job that is started later is a new one.
   */
  readonly end: (key: JobKey) => Effect.Effect<void>
}>()("@lastro/domain/fgts/origination/StoredJobs") {}
