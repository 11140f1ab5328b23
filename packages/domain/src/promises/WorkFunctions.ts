import { type Effect } from "effect"
import { cancelJob, listJobs, retryJob, showJob } from "../operator/jobs.ts"
import { showApplication, type ShowOptions } from "../operator/showApplication.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Run } from "./Run.ts"

/** The ports that the operator's functions for jobs and applications need. */
export type PortsOfWork = Effect.Services<
  ReturnType<typeof cancelJob | typeof listJobs | typeof retryJob | typeof showApplication | typeof showJob>
>

/** Creates the operator's functions for durable jobs and applications. */
export const workFunctions = (run: Run<PortsOfWork>) => ({
  /**
   * Returns up to `limit` stored durable jobs. Default: 1000. The job that has been due longest comes first. Jobs
   * contain no personal data.
   */
  listJobs: (limit?: number, options?: CallOptions) => run(() => listJobs(limit), options),
  /** Returns a stored job with its application. A job's name is its queue and its id, such as `quote/…` (JOB-08). */
  showJob: (name: string, options?: CallOptions) => run(() => showJob(name), options),
  /** Makes a job due at once, and keeps its progress. Returns the job as it was before. */
  retryJob: (name: string, options?: CallOptions) => run(() => retryJob(name), options),
  /**
   * Cancels a job (JOB-07). A pending quote becomes FAILED. The job of a contract can be cancelled only if the lender
   * provably has no contract. Returns the application afterwards, or null if there is none.
   */
  cancelJob: (name: string, options?: CallOptions) => run(() => cancelJob(name), options),
  /**
   * Returns an application with its history and jobs. Personal data is masked. A request for the full data stores an
   * audit entry.
   */
  showApplication: (application_id: string, show?: ShowOptions, options?: CallOptions) =>
    run(() => showApplication(application_id, show), options)
})

/**
 * The operator's functions for durable jobs and applications. They check no permissions, so never expose them to
 * callers.
 */
export interface WorkFunctions extends ReturnType<typeof workFunctions> {}
