import { Effect, Option, Result } from "effect"
import { Lender } from "../lender/Lender.ts"
import { type Application } from "../loan/Application.ts"
import { type LenderContract } from "../loan/LenderContract.ts"
import { isFinal, type Proposal } from "../loan/Proposal.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { callLender } from "./contractCalls.ts"
import { jobDone, type JobOutcome, type JobProgress, jobStarted, ticketOf } from "./Job.ts"
import { isAlarming } from "./logUnavailable.ts"
import { alarmTakenReference } from "./recordAnswer.ts"
import { requestExit } from "./requestExit.ts"
import { contractRetryDelayMs } from "./retry.ts"

/**
 * If the lender has a contract of a cancelled proposal, the job of the contract cancels it at the lender, repeatedly
 * until the lender confirms. A contract of another proposal is never cancelled. Usually the lender created the contract
 * before the cancellation. The lender can also create one later: a node that was frozen during the submission can still
 * send it.
 *
 * Returns the reference of the unwanted contract, or null. The reference is stored with the progress of the job.
 * @rule FGTS-53
 */
export const unwantedReference = (
  { proposal }: Pick<Application, "proposal">,
  { unwanted_reference = null }: JobProgress
): string | null => proposal?.status === "CANCELLED" ? unwanted_reference : null

/**
 * Returns the outcome after which the next run cancels an unwanted contract (FGTS-53), or DONE if the contract belongs
 * to another proposal.
 */
export const holdUnwanted = Effect.fnUntraced(function*(proposal: Proposal, { reference }: LenderContract) {
  const applications = yield* ApplicationRepository
  const { requirements: { name } } = yield* Lender
  const holder = yield* (yield* UnitOfWork).atomically(applications.holderOfReference(reference, name))
  if (Option.isSome(holder) && holder.value !== proposal.proposal_id) {
    yield* alarmTakenReference(proposal, holder.value)
    return jobDone
  }
  const next: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: { ...jobStarted, unwanted_reference: reference } }
  return next
})

/** Cancels an unwanted contract once. Logs an error or a warning if the lender does not confirm it. */
export const cancelUnwanted = Effect.fnUntraced(function*(
  { proposal }: Application,
  reference: string,
  progress: JobProgress
) {
  if (proposal?.status !== "CANCELLED") return jobDone
  const { attempt, pauses } = progress
  const { proposal_id, updated_at } = proposal
  const { reason = "OTHER", requested_at = updated_at } = proposal.cancellation ?? {}
  const lender = yield* Lender
  const request = { proposal_id, reference, reason, requested_at }
  const ticket = ticketOf({ kind: "contract", id: proposal_id }, progress)
  const answer = yield* Effect.result(
    callLender(ticket, "request", requestExit(lender, "cancel", () => lender.cancel(request)))
  )
  if (Result.isFailure(answer) && answer.failure._tag === "ExitFound") {
    const again: JobOutcome = {
      _tag: "RETRY",
      after_ms: 0,
      progress: { attempt, pauses, unwanted_reference: reference }
    }
    return again
  }
  if (Result.isSuccess(answer) && (answer.success === null || isFinal(answer.success))) return jobDone
  // An error at the attempts 1, 2, 4, 8 and so on, and a warning at the others.
  const log = isAlarming({ reason: "FORBIDDEN" }, attempt) ? Effect.logError : Effect.logWarning
  yield* Effect.annotateLogs(
    log(
      "the lender has a contract for a cancelled proposal and did not cancel it; retrying. Ask the lender to cancel it."
    ),
    {
      proposal_id,
      attempt,
      ...(Result.isSuccess(answer) ? { status: answer.success?.status } : { failure: answer.failure._tag })
    }
  )
  const next: JobOutcome = {
    _tag: "RETRY",
    after_ms: contractRetryDelayMs(proposal_id, Math.max(attempt, 1)),
    progress: { attempt: Math.max(attempt, 1) + 1, pauses: pauses + 1, unwanted_reference: reference }
  }
  return next
})
