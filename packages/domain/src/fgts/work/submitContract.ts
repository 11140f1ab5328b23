import { Effect, Option, Result } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { type Application } from "../application/Application.ts"
import { findOffer } from "../application/decideAccept.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { type ContractSubmission, Lender } from "../lender/Lender.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { recordContract } from "./recordFromLender.ts"
import { retryDelayMs } from "./retry.ts"

/** From this attempt on, a missing answer is logged as an error. */
const alarmingAttempt = 10

/**
 * Submits an accepted contract to the lender, or retries its payment with corrected data, and records the answer. It can run again at any
 * time, even concurrently, because it always sends the same idempotency keys. It retries until the lender answers, because the lender may
 * already have created the contract. Fails with Busy if a lock is not available. In that case, run it again.
 */
export const submitContract = Effect.fn("submitContract")(function*(proposal_id: ProposalId) {
  const applications = yield* ApplicationRepository
  for (let attempt = 1;; attempt++) {
    const found = yield* applications.ofProposal(proposal_id)
    if (Option.isNone(found) || found.value.proposal === null) return
    const ask = yield* pendingCall(found.value, found.value.proposal)
    if (Option.isNone(ask)) return
    const answer = yield* Effect.result(ask.value)
    if (Result.isSuccess(answer)) return yield* Effect.asVoid(recordContract(found.value, answer.success))
    const log = attempt < alarmingAttempt ? Effect.logWarning : Effect.logError
    yield* Effect.annotateLogs(log("the lender did not answer a contract request; retrying"), {
      proposal_id,
      attempt,
      reason: answer.failure.reason,
      detail: answer.failure.detail
    })
    yield* Effect.sleep(retryDelayMs(proposal_id, attempt))
  }
})

/** Returns the pending call to the lender, if any: the submission, or a retry of the payment. */
const pendingCall = Effect.fnUntraced(function*(application: Application, proposal: Proposal) {
  const lender = yield* Lender
  const { disbursement, disbursement_attempt, proposal_id, reference, status, status_history } = proposal
  if (status === "SUBMITTING") return Option.some(lender.submit(yield* submissionOf(application, proposal)))
  if (status !== "DISBURSING" || disbursement_attempt === 1 || reference === null) return Option.none()
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
