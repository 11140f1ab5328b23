import { Context, Effect } from "effect"

/**
 * Receives the reason why the lender gave no answer to the current run of a job. The worker stores it with the job,
 * where the operator reads it. It contains no personal data. Default: it is only logged.
 */
export const ReportProblem = Context.Reference<(problem: string) => void>(
  "@lastro/domain/jobs/RunProblem/ReportProblem",
  { defaultValue: () => () => {} }
)

/** Maximum number of characters of a reported problem. */
const maxLength = 300

/** Reports the reason why the lender gave no answer to the current run. */
export const reportProblem = (problem: string): Effect.Effect<void> =>
  Effect.map(ReportProblem, (report) => report(problem.slice(0, maxLength)))
