import { Context, Effect } from "effect"
import { type CallPostponed } from "../lender/callWithinLimits.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { type JobOutcome, type JobProgress } from "./Job.ts"

/**
 * Receives the reason why the lender gave no answer to the current run of a job. The worker stores it with the job,
 * where the operator reads it. It contains no personal data. Default: it is only logged.
 */
export const ReportProblem = Context.Reference<(problem: string) => void>(
  "@lastro/domain/jobs/logUnavailable/ReportProblem",
  { defaultValue: () => () => {} }
)

/** Maximum number of characters of a reported problem. */
const maxLength = 300

/** Reports the reason why the lender gave no answer to the current run. */
const reportProblem = (problem: string): Effect.Effect<void> =>
  Effect.map(ReportProblem, (report) => report(problem.slice(0, maxLength)))

/** From this attempt on, a missing answer is logged as an error. */
const alarmingAttempt = 10

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

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

/**
 * Reports a throttled call as the problem of the run. Many calls can be throttled at once, so only the 1st, 2nd, 4th,
 * 8th pause of a job (and so on) is logged. A call that only waits for the time that the throttle has reserved for it
 * is neither reported nor logged.
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

/** The pause of a job whose lender left the installation, in milliseconds: one minute. */
const leftLenderPauseMs = 60_000

const leftLender = "LENDER_LEFT: this installation has no lender with the code "

/** Returns the code of the lender that a job waits for, from the problem of its last run. */
export const leftLenderOf = (problem: string): string | undefined =>
  problem.startsWith(leftLender) ? problem.slice(leftLender.length) : undefined

/**
 * The jobs of a lender that the installation no longer has wait. They run again when the lender is back. No other job
 * waits for them.
 * @rule LENDER-28
 */
export const waitForLender = (code: string | null, progress: JobProgress): Effect.Effect<JobOutcome> =>
  Effect.as(
    reportProblem(`${leftLender}${code ?? "of this record"}`),
    { _tag: "RETRY", after_ms: leftLenderPauseMs, progress }
  )

/**
 * Every unlawful offer of the lender is logged as a warning with the code of the lender, the id of the quote, the code of the fee table and
 * the rule that the offer breaks. The log contains no personal data.
 * @rule LENDER-15
 */
export const logUnlawfulOffers = (before: Application, events: ReadonlyArray<LoanEvent>): Effect.Effect<void> =>
  Effect.forEach(
    events.flatMap((event) => "unlawful" in event ? event.unlawful : []),
    ({ detail, rule, table }) =>
      Effect.annotateLogs(
        Effect.logWarning("the lender sent an unlawful offer; the customer does not see it"),
        { quote_id: latestQuote(before).quote_id, table: table.code, rule, detail }
      ),
    { discard: true }
  )
