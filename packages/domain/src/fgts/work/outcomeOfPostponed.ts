import { type CallPostponed } from "./callLender.ts"
import { type JobOutcome, type JobProgress } from "./Job.ts"
import { throttledDelayMs } from "./retry.ts"

/**
 * A call that was postponed changes nothing but the time of the next run: it is no attempt. A job without a slot runs again when its slot
 * comes, and keeps its place in the order. A job that the lender throttled runs again after the delay that the lender states.
 * @rule JOB-04
 */
export const outcomeOfPostponed = (
  id: string,
  progress: JobProgress,
  { after_ms, reason, slot_at }: Pick<CallPostponed, "after_ms" | "reason" | "slot_at">
): Extract<JobOutcome, { readonly _tag: "RETRY" }> => {
  if (reason === "NO_SLOT") return { _tag: "RETRY", after_ms: after_ms ?? 0, progress: { ...progress, slot_at } }
  const pauses = progress.pauses + 1
  return { _tag: "RETRY", after_ms: throttledDelayMs(id, pauses, after_ms), progress: { ...progress, pauses } }
}
