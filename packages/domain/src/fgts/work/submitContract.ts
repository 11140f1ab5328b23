import { Effect, Result } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { type Application } from "../application/Application.ts"
import { findOffer } from "../application/decideAccept.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { kycForLender } from "../kyc/KycRequirements.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { Lender } from "../lender/Lender.ts"
import { type ContractSubmission } from "../lender/LenderContract.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { callLender } from "./callLender.ts"
import { type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { logUnavailable } from "./logUnavailable.ts"
import { ofProposal } from "./ofProposal.ts"
import { outcomeNow } from "./pollContract.ts"
import { recordContract } from "./recordFromLender.ts"
import { retryDelayMs } from "./retry.ts"

/** Returns whether the lender has not confirmed the contract, or the payment that was requested last. */
export const isCallPending = ({ disbursement_attempt, reference, status }: Proposal): boolean =>
  status === "SUBMITTING" || status === "DISBURSING" && disbursement_attempt > 1 && reference !== null

/**
 * Submits an accepted contract to the lender once, or retries its payment with corrected data, and records the answer. Without an answer it is
 * repeated, because the lender may already have created the contract. Makes no call if none is pending. Fails with Busy if a lock is not
 * available.
 */
export const submitOnce = Effect.fnUntraced(function*(application: Application, { attempt, pauses }: JobProgress) {
  const { proposal } = application
  if (proposal === null || !isCallPending(proposal)) return yield* outcomeNow(application)
  const answer = yield* Effect.result(callLender(yield* pendingCall(application, proposal)))
  if (Result.isSuccess(answer)) return yield* outcomeNow(yield* recordContract(application, answer.success))
  const { proposal_id } = proposal
  yield* logUnavailable("the lender did not answer a contract request; retrying", answer.failure, { attempt, proposal_id })
  const next: JobOutcome = {
    _tag: "RETRY",
    after_ms: retryDelayMs(proposal_id, attempt),
    progress: { attempt: attempt + 1, pauses: pauses + 1 }
  }
  return next
})

/** Runs {@link submitOnce}. It can run again at any time, even concurrently, because it always sends the same idempotency keys. */
export const submitContract = Effect.fn("submitContract")((
  proposal_id: ProposalId,
  progress: JobProgress = jobStarted
) => ofProposal(proposal_id, (application) => submitOnce(application, progress)))

/** Returns the pending call to the lender: the submission, or a retry of the payment. */
const pendingCall = Effect.fnUntraced(function*(application: Application, proposal: Proposal) {
  const lender = yield* Lender
  const { disbursement, disbursement_attempt, proposal_id, reference, status_history } = proposal
  if (reference === null) {
    return Effect.catchTag(
      lender.submit(yield* submissionOf(application, proposal)),
      "SubmissionInvalid",
      () => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "the lender refuses the data" }))
    )
  }
  // The time of the last status change, because every attempt must send the same time.
  const requested_at = status_history.at(-1)?.at ?? proposal.created_at
  return lender.resubmit({ proposal_id, reference, disbursement, disbursement_attempt, requested_at })
})

const submissionOf = (application: Application, proposal: Proposal): Effect.Effect<ContractSubmission> =>
  Effect.map(Effect.orDie(Effect.fromResult(findOffer(application, proposal.offer_id))), ({ offer }) => ({
    proposal_id: proposal.proposal_id,
    application_id: application.application_id,
    accepted_at: proposal.created_at,
    acceptance: proposal.acceptance,
    origin: null,
    offer,
    customer: application.customer,
    kyc: kycForLender(application.kyc ?? emptyKyc, application.requirements),
    disbursement: proposal.disbursement
  }))
