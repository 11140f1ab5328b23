import { Effect, Option } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { jobDone, type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { pollContract } from "./pollContract.ts"
import { isCallPending, submitContract } from "./submitContract.ts"

/**
 * Runs the job of a contract once. Until the lender answers, the run submits the contract or requests the payment. From then on, it polls the
 * contract. The job ends when the status of the contract is final.
 */
export const runContract = Effect.fnUntraced(function*(proposal_id: ProposalId, progress: JobProgress = jobStarted) {
  const found = yield* (yield* ApplicationRepository).ofProposal(proposal_id)
  if (Option.isNone(found) || found.value.proposal === null) return jobDone
  const { proposal } = found.value
  if (progress.attempt === 0 || !isCallPending(proposal)) return yield* pollContract(proposal_id)
  return proposal.reference !== null && progress.pauses % 2 === 1
    ? yield* pollUnanswered(proposal_id, progress)
    : yield* submitContract(proposal_id, progress)
})

/**
 * Polls the contract before an unanswered payment is requested again, because the lender may have ended the contract meanwhile. The next run
 * follows at once.
 */
const pollUnanswered = Effect.fnUntraced(function*(proposal_id: ProposalId, { attempt, pauses }: JobProgress) {
  const outcome = yield* pollContract(proposal_id)
  const found = yield* (yield* ApplicationRepository).ofProposal(proposal_id)
  const isPending = Option.isSome(found) && found.value.proposal !== null && isCallPending(found.value.proposal)
  const next: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: { attempt, pauses: pauses + 1 } }
  return isPending ? next : outcome
})
