import { Effect } from "effect"
import { type CallPostponed } from "../lender/callInTurn.ts"
import { isPowerOfTwo } from "./logUnavailable.ts"
import { reportProblem } from "./RunProblem.ts"

/**
 * Reports a throttled call as the problem of the run. Many calls can be throttled at once, so only the 1st, 2nd, 4th, 8th pause
 * of a job (and so on) is logged. A call that only waits for the time that the throttle has reserved for it is neither reported
 * nor logged.
 */
export const logThrottled = (
  { after_ms, reason }: Pick<CallPostponed, "after_ms" | "reason">,
  { job, pauses }: { readonly job: string; readonly pauses: number }
): Effect.Effect<void> =>
  reason === "NO_SLOT"
    ? Effect.void
    : Effect.andThen(
      reportProblem("THROTTLED: the lender refused the call because there were too many calls"),
      isPowerOfTwo(pauses)
        ? Effect.annotateLogs(
          Effect.logWarning("the lender refused a call because there were too many calls; repeating it later"),
          {
            job,
            pauses,
            ...(after_ms === undefined ? {} : { retry_after_ms: after_ms })
          }
        )
        : Effect.void
    )
