import { Effect, Option } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { jobDone, type JobProgress, jobStarted } from "./Job.ts"
import { pollContract } from "./pollContract.ts"
import { isCallPending, submitContract } from "./submitContract.ts"

/**
 * Runs the job of a contract once. Until the lender answers, the run submits the contract or requests the payment. From then on, it polls the
 * contract. The job ends when the status of the contract is final.
 */
export const runContract = Effect.fnUntraced(function*(proposal_id: ProposalId, progress: JobProgress = jobStarted) {
  const found = yield* (yield* ApplicationRepository).ofProposal(proposal_id)
  if (Option.isNone(found) || found.value.proposal === null) return jobDone
  return progress.attempt > 0 && isCallPending(found.value.proposal)
    ? yield* submitContract(proposal_id, progress)
    : yield* pollContract(proposal_id)
})
