import { Effect, Option, Result } from "effect"
import { type ProposalId } from "../../id/ProposalId.ts"
import { type Application } from "../application/Application.ts"
import { findOffer } from "../application/decideAccept.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { noKyc } from "../kyc/KycValues.ts"
import { type ContractSubmission, Lender } from "../lender/Lender.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { recordContract } from "./recordContract.ts"
import { pauseMs } from "./retry.ts"

/** A lender that does not answer for some minutes needs somebody to look after it. */
const alarmingAttempt = 10

/**
 * Has the lender make an accepted contract, or pay again to where the customer says now, and records what it answers. May be
 * run again at any time, and beside itself: the lender is given the same keys again. Never gives up on a lender that does not
 * answer, since the contract may exist there, before the contract is known to have moved on. Fails when the database is busy;
 * run it again then.
 */
export const submitContract = Effect.fn("submitContract")(function*(proposal_id: ProposalId) {
  const applications = yield* ApplicationRepository
  for (let attempt = 1;; attempt++) {
    const found = yield* applications.ofProposal(proposal_id)
    if (Option.isNone(found) || found.value.proposal === null) return
    const ask = yield* asking(found.value, found.value.proposal)
    if (Option.isNone(ask)) return
    const answer = yield* Effect.result(ask.value)
    if (Result.isSuccess(answer)) return yield* Effect.asVoid(recordContract(found.value, answer.success))
    const log = attempt < alarmingAttempt ? Effect.logWarning : Effect.logError
    yield* Effect.annotateLogs(log("the lender did not answer about a contract"), {
      proposal_id,
      attempt,
      reason: answer.failure.reason,
      detail: answer.failure.detail
    })
    yield* Effect.sleep(pauseMs(proposal_id, attempt))
  }
})

/** What is still to be asked for, if anything: the contract itself, or another payment. */
const asking = Effect.fnUntraced(function*(application: Application, proposal: Proposal) {
  const lender = yield* Lender
  const { disbursement, disbursement_attempt, proposal_id, reference, status, status_history } = proposal
  if (status === "SUBMITTING") return Option.some(lender.submit(yield* submissionOf(application, proposal)))
  if (status !== "DISBURSING" || disbursement_attempt === 1 || reference === null) return Option.none()
  // The same time however often it is asked: the status is that of the wish, whatever else has changed since.
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
    kyc: application.kyc ?? noKyc,
    disbursement: proposal.disbursement
  }))
