import { Effect } from "effect"
import { type Application } from "../loan/Application.ts"
import { proposalExpiresAt } from "../loan/decideExpire.ts"
import { type ProposalId } from "../values/ids.ts"
import { isCallPending } from "./contractCalls.ts"
import { expireProposal } from "./expireProposal.ts"
import { type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { ofProposal } from "./ofProposal.ts"
import { outcomeNow, pollOnce } from "./pollContract.ts"
import { submitOnce } from "./submitContract.ts"
import { cancelUnwanted, unwantedReference } from "./unwantedContract.ts"

/**
 * Runs the job of a contract once. Until the lender answers, the run makes the pending call: it submits the contract, or requests
 * a payment, a cancellation, a refund or a signature link. From then on, it polls the contract. While only a person can continue
 * the proposal (FGTS-54), the job waits until the proposal expires. The job ends when the status of the contract is final, or ten
 * days after the payment.
 */
export const runContract = Effect.fn("runContract")((proposal_id: ProposalId, progress: JobProgress = jobStarted) =>
  ofProposal(proposal_id, (application) => {
    const unwanted = unwantedReference(application, progress)
    if (unwanted !== null) return cancelUnwanted(application, unwanted, progress)
    if (proposalExpiresAt(application) !== null) return Effect.flatMap(expireProposal(application), outcomeNow)
    if (isAnswered(application, progress) || !hasPendingCall(application)) {
      return Effect.flatMap(pollOnce(application), outcomeNow)
    }
    return application.proposal?.reference !== null && progress.pauses % 2 === 1
      ? pollUnanswered(application, progress)
      : submitOnce(application, progress)
  })
)

/**
 * Returns whether the lender has answered the last call. False for a CANCELLING proposal, because its cancellation is
 * requested until the contract has ended or was paid.
 */
const isAnswered = ({ proposal }: Application, { attempt }: JobProgress): boolean =>
  attempt === 0 && proposal?.status !== "CANCELLING"

const hasPendingCall = ({ proposal }: Application): boolean => proposal !== null && isCallPending(proposal)

/**
 * Polls the contract before an unanswered call is repeated, because the lender can have ended the contract meanwhile.
 * The next run follows at once.
 */
const pollUnanswered = Effect.fnUntraced(function*(application: Application, { attempt, pauses }: JobProgress) {
  const after = yield* pollOnce(application)
  const next: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: { attempt, pauses: pauses + 1 } }
  return hasPendingCall(after) ? next : yield* outcomeNow(after)
})
