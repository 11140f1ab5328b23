import { Effect, Option, Result } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"
import { findOffer } from "../application/decideAccept.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { type ContractSubmission, Lender } from "../lender/Lender.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { callLender } from "./callLender.ts"
import { jobDone, type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { afterAnswer } from "./pollContract.ts"
import { recordContract } from "./recordFromLender.ts"
import { retryDelayMs } from "./retry.ts"

/** From this attempt on, a missing answer is logged as an error. */
const alarmingAttempt = 10

/** Returns whether the lender has not confirmed the contract, or the payment that was requested last. */
export const isCallPending = ({ disbursement_attempt, reference, status }: Proposal): boolean =>
  status === "SUBMITTING" || status === "DISBURSING" && disbursement_attempt > 1 && reference !== null

/**
 * Submits an accepted contract to the lender once, or retries its payment with corrected data, and records the answer. It can run again at
 * any time, even concurrently, because it always sends the same idempotency keys. Without an answer it is repeated, because the lender may
 * already have created the contract. Fails with Busy if a lock is not available. In that case, run it again.
 */
export const submitContract = Effect.fn("submitContract")(function*(
  proposal_id: ProposalId,
  { attempt, pauses }: JobProgress = jobStarted
) {
  const found = yield* (yield* ApplicationRepository).ofProposal(proposal_id)
  if (Option.isNone(found)) return jobDone
  const call = yield* pendingCall(found.value)
  if (Option.isNone(call)) return afterAnswer(found.value.proposal, yield* currentTimestamp)
  const answer = yield* Effect.result(callLender(call.value))
  if (Result.isSuccess(answer)) {
    const after = yield* recordContract(found.value, answer.success)
    return afterAnswer(after.proposal, yield* currentTimestamp)
  }
  const log = attempt < alarmingAttempt ? Effect.logWarning : Effect.logError
  yield* Effect.annotateLogs(log("the lender did not answer a contract request; retrying"), {
    proposal_id,
    attempt,
    reason: answer.failure.reason,
    detail: answer.failure.detail
  })
  const next: JobOutcome = {
    _tag: "RETRY",
    after_ms: retryDelayMs(proposal_id, attempt),
    progress: { attempt: attempt + 1, pauses: pauses + 1 }
  }
  return next
})

/** Returns the pending call to the lender, if any: the submission, or a retry of the payment. */
const pendingCall = Effect.fnUntraced(function*(application: Application) {
  const { proposal } = application
  if (proposal === null || !isCallPending(proposal)) return Option.none()
  const lender = yield* Lender
  const { disbursement, disbursement_attempt, proposal_id, reference, status_history } = proposal
  if (reference === null) return Option.some(lender.submit(yield* submissionOf(application, proposal)))
  // The time of the last status change, because every attempt must send the same time.
  const requested_at = status_history.at(-1)?.at ?? proposal.created_at
  return Option.some(lender.resubmit({ proposal_id, reference, disbursement, disbursement_attempt, requested_at }))
})

const submissionOf = (application: Application, proposal: Proposal): Effect.Effect<ContractSubmission> =>
  Effect.map(Effect.orDie(Effect.fromResult(findOffer(application, proposal.offer_id))), ({ offer }) => ({
    proposal_id: proposal.proposal_id,
    application_id: application.application_id,
    accepted_at: proposal.created_at,
    offer,
    customer: application.customer,
    kyc: application.kyc ?? emptyKyc,
    disbursement: proposal.disbursement
  }))
