import { Effect } from "effect"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { reportProblem } from "./RunProblem.ts"

/** From this attempt on, a missing answer is logged as an error. */
const alarmingAttempt = 10

/** Returns whether a number is a power of two. */
export const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

/**
 * A lender that refuses our credentials is logged as an error that names the remedy, at the attempts 1, 2, 4, 8 and so
 * on. At the other attempts, it is logged as a warning.
 * @rule LENDER-08
 */
export const isAlarming = ({ reason }: Pick<LenderUnavailable, "reason">, attempt: number): boolean =>
  reason === "FORBIDDEN" ? attempt < 1 || isPowerOfTwo(attempt) : attempt >= alarmingAttempt

/**
 * Logs that the lender gave no answer, and reports it as the problem of the run. `event` names the event and its
 * consequence. `attempt` is 0 for a poll.
 */
export const logUnavailable = (
  event: string,
  { detail, reason }: LenderUnavailable,
  { attempt, ...job }: { readonly attempt: number; readonly proposal_id?: string; readonly quote_id?: string }
) => {
  const log = isAlarming({ reason }, attempt) ? Effect.logError : Effect.logWarning
  const message = reason === "FORBIDDEN"
    ? `the lender refuses our credentials; replace the credentials in the settings of the lender: ${event}`
    : event
  return Effect.andThen(
    Effect.annotateLogs(log(message), { ...job, ...(attempt === 0 ? {} : { attempt }), reason, detail }),
    reportProblem(`${reason}: ${detail}`)
  )
}
