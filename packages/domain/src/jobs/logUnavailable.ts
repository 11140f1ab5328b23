import { Context, Effect } from "effect"
import { type CallPostponed } from "../lender/callWithinLimits.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { type JobOutcome, type JobProgress } from "./Job.ts"

/**
 * Receives the reason why the current run of a job got no answer from the lender. The worker stores it with the job for
 * the operator. It contains no personal data. Default: the reason is only logged.
 */
export const ReportProblem = Context.Reference<(problem: string) => void>(
  "@lastro/domain/jobs/logUnavailable/ReportProblem",
  { defaultValue: () => () => {} }
)

/** Maximum number of characters of a reported problem. */
const maxLength = 300

const reportProblem = (problem: string): Effect.Effect<void> =>
  Effect.map(ReportProblem, (report) => report(problem.slice(0, maxLength)))

/** From this attempt on, each missing answer is logged as an error. */
const alarmingAttempt = 10

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

/**
 * If a lender refuses our credentials, an error with the remedy is logged at each poll and the attempts 1, 2, 4, 8 and
 * so on, and a warning at the others.
 * @rule LENDER-08
 */
export const isAlarming = ({ reason }: Pick<LenderUnavailable, "reason">, attempt: number): boolean =>
  reason === "FORBIDDEN" ? attempt < 1 || isPowerOfTwo(attempt) : attempt >= alarmingAttempt

/**
 * Logs a call to the lender that failed, and records the failure as the problem of the run. `event` names the failed
 * call and the consequence. `attempt` is 0 for a poll.
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
 * Reports a throttled call as the problem of the run. To limit the log, only the pauses 1, 2, 4, 8 and so on of a job
 * are logged. A call that only waits for its reserved time is neither reported nor logged.
 */
export const logThrottled = (
  { after_ms, reason }: Pick<CallPostponed, "after_ms" | "reason">,
  { job, pauses }: { readonly job: string; readonly pauses: number }
): Effect.Effect<void> =>
  Effect.gen(function*() {
    if (reason === "NO_SLOT") return
    yield* reportProblem("THROTTLED: the lender refused the call because there were too many calls")
    if (!isPowerOfTwo(pauses)) return
    yield* Effect.annotateLogs(
      Effect.logWarning("the lender refused a call because there were too many calls; repeating it later"),
      { job, pauses, ...(after_ms === undefined ? {} : { retry_after_ms: after_ms }) }
    )
  })

/** The pause of a job whose lender left the installation, in milliseconds. */
const leftLenderPauseMs = 60_000

/**
 * The jobs of a lender that left the installation wait until it is back. They delay no other job.
 * @rule LENDER-28
 */
export const waitForLender = (code: string | null, progress: JobProgress): Effect.Effect<JobOutcome> =>
  Effect.as(
    reportProblem(`LENDER_LEFT: this installation has no lender with the code ${code ?? "of this record"}`),
    { _tag: "RETRY", after_ms: leftLenderPauseMs, progress }
  )

/**
 * Every unlawful offer is logged as a warning with the code of the lender, the id of the quote, the code of the fee
 * table and the broken rule. The log contains no personal data.
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
