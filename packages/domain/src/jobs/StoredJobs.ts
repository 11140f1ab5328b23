import { Context, type Effect, type Option } from "effect"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/**
 * The key of a stored job. `kind` is any text, because a newer version of Lastro can have stored a kind that this
 * version does not know.
 */
export interface JobKey {
  readonly kind: string
  /** A UUID: the id of the quote or of the proposal. */
  readonly id: string
}

/** A durable job as stored. It contains no personal data. */
export interface StoredJob extends JobKey {
  /** RUNNING: a node runs it. DUE: a node will fetch it at once. WAITING: it runs again at `due_at`. */
  readonly state: "RUNNING" | "DUE" | "WAITING"
  readonly created_at: Timestamp
  /**
   * The time of the next run. For a running job: the time at which another node takes it over, in case the running node
   * has crashed.
   */
  readonly due_at: Timestamp
  /** Number of the next call to the lender, starting at 1. It is 0 after the lender has answered. */
  readonly attempt: number
  /** Number of consecutive runs that failed because of the database or a defect. */
  readonly failures: number
  /** The reason why the last run failed, or why it got no answer from the lender. Otherwise null. */
  readonly last_error: string | null
}

/** Reads and ends the stored durable jobs. All methods but `listFailed` are for the operator only. */
export class StoredJobs extends Context.Service<StoredJobs, {
  /**
   * Returns up to `limit` stored jobs. The job that has been due longest comes first. A job that has ended is not
   * stored.
   */
  readonly list: (limit: number) => Effect.Effect<ReadonlyArray<StoredJob>>
  /**
   * Returns up to `limit` stored jobs of the applications in the tree of this root whose last run failed, or got no
   * answer from the lender. The oldest job comes first. A job whose tree is not known is not returned.
   */
  readonly listFailed: (root: PartnerId, limit: number) => Effect.Effect<ReadonlyArray<StoredJob>>
  /** Returns the stored job with this key. */
  readonly find: (key: JobKey) => Effect.Effect<Option.Option<StoredJob>>
  /**
   * Ends a job: removes it, so that it does not run again. Joins the surrounding transaction. A run in progress does
   * not store its outcome with the job. Starting the job later creates a new job.
   */
  readonly end: (key: JobKey) => Effect.Effect<void>
}>()("@lastro/domain/jobs/StoredJobs") {}
