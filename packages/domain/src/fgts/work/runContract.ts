import { Effect } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { type Application } from "../application/Application.ts"
import { type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { ofProposal } from "./ofProposal.ts"
import { outcomeNow, pollOnce } from "./pollContract.ts"
import { isCallPending, submitOnce } from "./submitContract.ts"

/**
 * Runs the job of a contract once. Until the lender answers, the run submits the contract or requests the payment. From then on, it polls the
 * contract. The job ends when the status of the contract is final.
 */
export const runContract = Effect.fn("runContract")((proposal_id: ProposalId, progress: JobProgress = jobStarted) =>
  ofProposal(proposal_id, (application) =>
    progress.attempt === 0 || !hasPendingCall(application)
      ? Effect.flatMap(pollOnce(application), outcomeNow)
      : application.proposal?.reference !== null && progress.pauses % 2 === 1
      ? pollUnanswered(application, progress)
      : submitOnce(application, progress))
)

const hasPendingCall = ({ proposal }: Application): boolean => proposal !== null && isCallPending(proposal)

/**
 * Polls the contract before an unanswered payment is requested again, because the lender may have ended the contract meanwhile. The next run
 * follows at once.
 */
const pollUnanswered = Effect.fnUntraced(function*(application: Application, { attempt, pauses }: JobProgress) {
  const after = yield* pollOnce(application)
  const next: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: { attempt, pauses: pauses + 1 } }
  return hasPendingCall(after) ? next : yield* outcomeNow(after)
})
