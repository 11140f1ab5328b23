import { type CallPostponed } from "../lender/callInTurn.ts"
import { type Job, type JobOutcome, type JobProgress } from "./Job.ts"
import { contractRetryDelayMs, throttledDelayMs } from "./retry.ts"

/**
 * A postponed call does not count as an attempt, and changes only the time of the next run. A job that must wait for its reserved
 * time runs again at that time, and keeps its place in the queue. A job that the lender throttled runs again after the delay that
 * the lender states. In the job of a contract, the delay also grows with the number of earlier delays, as in PROP-12, because no
 * deadline ends this job.
 * @rule JOB-04
 */
export const outcomeOfPostponed = (
  { id, kind }: Job,
  progress: JobProgress,
  { after_ms, reason, slot_at }: Pick<CallPostponed, "after_ms" | "reason" | "slot_at">
): Extract<JobOutcome, { readonly _tag: "RETRY" }> => {
  if (reason === "NO_SLOT") return { _tag: "RETRY", after_ms: after_ms ?? 0, progress: { ...progress, slot_at } }
  const pauses = progress.pauses + 1
  const throttled_ms = throttledDelayMs(id, pauses, after_ms)
  return {
    _tag: "RETRY",
    after_ms: kind === "contract" ? contractRetryDelayMs(id, pauses, throttled_ms) : throttled_ms,
    progress: { ...progress, pauses }
  }
}
