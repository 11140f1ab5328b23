import { Effect } from "effect"
import { CallOrigin, type CallPostponed } from "../lender/callWithinLimits.ts"
import { type Tenancy, unknownTenancy } from "../ports/turns.ts"
import { continueTrace } from "../values/traceparent.ts"
import { type Job, jobName, type JobOutcome, type JobProgress } from "./Job.ts"
import { logThrottled } from "./logUnavailable.ts"
import { outcomeOfPostponed } from "./retry.ts"
import { runContract } from "./runContract.ts"
import { runPatience } from "./runPatience.ts"
import { runQuote } from "./runQuote.ts"

/**
 * Runs a durable job once, and returns its outcome, which determines the next run. A run calls the lender at most once
 * and never sleeps. It can be repeated at any time, even concurrently. Fails with Busy if a lock is not available.
 * After a failure or a defect, run the job again after `failureDelayMs`. `tenancy` is the partner of the application:
 * each call to the lender takes the turn of this partner. Default: unknown.
 *
 * The run continues the trace of `traceparent` until the lender has answered. A contract is polled for years, so each
 * later poll is a trace of its own, with a link. Default: no trace.
 */
export const runJob = (
  job: Job,
  progress: JobProgress,
  tenancy: Tenancy = unknownTenancy,
  traceparent: string | null = null
) =>
  continueTrace(
    { kind: job.kind, id: job.id, traceparent, isLate: progress.attempt === 0 },
    Effect.provideService(runKind(job, progress), CallOrigin, { job: jobName(job), ...tenancy })
  )

const runKind = (job: Job, progress: JobProgress) => {
  switch (job.kind) {
    case "quote":
      return runQuote(job.id, progress, job.lender)
    case "patience":
      return runPatience(job.id)
    case "contract":
      return Effect.catchTag(
        runContract(job.id, progress),
        "CallPostponed",
        (postponed) => postpone(job, progress, postponed)
      )
  }
}

const postpone = (job: Job, progress: JobProgress, postponed: CallPostponed): Effect.Effect<JobOutcome> => {
  const outcome = outcomeOfPostponed(job, progress, postponed)
  return Effect.as(logThrottled(postponed, { job: jobName(job), pauses: outcome.progress.pauses }), outcome)
}
