import { Effect, Equal, Result } from "effect"
import { type CallTicket, prepareAndCall } from "../lender/callWithinLimits.ts"
import { Lender } from "../lender/Lender.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { LenderSettings } from "../lender/LenderSettings.ts"
import { type Application } from "../loan/Application.ts"
import { type LenderContract } from "../loan/LenderContract.ts"
import { isFinal, openRequestOf, type Proposal } from "../loan/Proposal.ts"
import { type ProposalId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ContractCall, isCallPending, pendingCall } from "./contractCalls.ts"
import { type JobOutcome, type JobProgress, jobStarted, ticketOf } from "./Job.ts"
import { judgeLenderReference } from "./judgeTexts.ts"
import { logUnavailable } from "./logUnavailable.ts"
import { outcomeNow } from "./pollContract.ts"
import {
  carryOut,
  recordContract,
  recordExitRefused,
  recordInvalid,
  recordNoContract,
  recordNotReceived
} from "./recordAnswer.ts"
import { contractRetryDelayMs, isOwnFailure } from "./retry.ts"
import { holdUnwanted } from "./unwantedContract.ts"

/**
 * Makes the pending call of a contract once, and records the answer. The call submits the contract, retries its
 * payment, cancels it, or requests its refund or a new signature link. Without an answer, the call is repeated, because
 * the lender may have acted on it. Makes no call if none is pending. Fails with CallPostponed if the throttle allows no
 * call now, and with Busy if a lock is not available.
 */
export const submitOnce = Effect.fnUntraced(function*(before: Application, progress: JobProgress, began_at: Timestamp) {
  const { proposal } = before
  if (proposal === null || !isCallPending(proposal)) return yield* outcomeNow(before)
  const lender = yield* Lender
  const ticket: CallTicket = ticketOf({ kind: "contract", id: proposal.proposal_id }, progress)
  // The start of a submission is recorded only after the throttle has allowed the call. Until then, a caller can cancel
  // the submission at once. If the application was cancelled meanwhile, no call is made.
  const prepare = Effect.map(
    proposal.submitted_at === null
      ? startSubmission(before)
      : Effect.succeed({ application: before, isStarted: false }),
    (started) => ({ ...started, call: pendingCall(started.application, lender) })
  )
  const { answer, prepared } = yield* prepareAndCall(
    ticket,
    "request",
    prepare,
    ({ call }) => call === null ? Effect.succeed(null) : call.run
  )
  const { application, call, isStarted } = prepared
  const judged = Result.flatMap(answer, judgeLenderReference)
  if (call === null) return yield* outcomeNow(application)
  if (Result.isSuccess(judged)) return yield* afterAnswer(application, call, judged.success, progress)
  const { failure } = judged
  if (isStarted && wasNotReceived(failure)) {
    const after = yield* recordNotReceived(application, began_at)
    if (after.proposal?.status === "CANCELLED") return yield* outcomeNow(after)
  }
  switch (failure._tag) {
    case "SubmissionInvalid":
      return yield* outcomeNow(yield* recordInvalid(application, failure))
    case "ExitRefused":
    case "LenderUnsupported":
      return yield* afterRefusedExit(yield* recordExitRefused(application, failure))
    case "ExitFound":
      return runAgain(progress)
    case "LenderUnavailable":
      return yield* repeatLater(proposal, progress, failure)
  }
})

/**
 * Returns whether the lender provably did not receive a call. A throttled call is no proof: a proxy can answer 503
 * after the lender has received the call.
 */
const wasNotReceived = (failure: { readonly _tag: string }): boolean =>
  failure instanceof LenderUnavailable && failure.reason !== "ASKED"

/** Returns the outcome that makes the job run again at once. */
const runAgain = (progress: JobProgress): JobOutcome => ({ _tag: "RETRY", after_ms: 0, progress })

/**
 * Records the start of a submission (PROP-10) before the lender is called. Returns the stored application, and whether
 * this call started the submission. The stored application is cancelled if a caller cancelled it meanwhile, or if its
 * offer can no longer be contracted.
 */
const startSubmission = Effect.fnUntraced(function*(before: Application) {
  const { max_monthly_rate, max_monthly_rate_above_policy } = yield* LenderSettings
  const { after: application, events } = yield* carryOut(
    before,
    "application.submission",
    (_, at) => Effect.succeed({ _tag: "StartSubmission", at, max_monthly_rate, max_monthly_rate_above_policy })
  )
  return { application, isStarted: events.some(({ _tag }) => _tag === "ContractSubmitted") }
})

/** Records the lender's answer, and returns the next run. */
const afterAnswer = Effect.fnUntraced(function*(
  application: Application,
  { answers }: ContractCall,
  contract: LenderContract | null,
  progress: JobProgress
) {
  const after = contract === null
    ? yield* recordNoContract(application)
    : yield* recordContract(application, contract, answers)
  const { proposal } = after
  if (proposal === null) return yield* outcomeNow(after)
  if (contract !== null && proposal.status === "CANCELLED" && !isFinal(contract)) {
    return yield* holdUnwanted(proposal, contract)
  }
  // The lender has not confirmed the cancellation yet, so the call is repeated.
  if (proposal.status === "CANCELLING") return outcomeOfRepeat(proposal.proposal_id, progress)
  return isRequestOpen(application, proposal, contract)
    ? yield* repeatLater(proposal, progress, unrelatedAnswer)
    : yield* outcomeNow(after)
})

/** The failure of an answer that does not state the result of the request. */
const unrelatedAnswer = new LenderUnavailable({
  reason: "ASKED",
  detail: "the answer does not state the result of the request"
})

/**
 * Returns whether an answer leaves its request open. It then counts as no answer, because polls alone would not
 * complete the request. Examples: a refund is answered with DISBURSING, and a repeated payment with the status of an
 * earlier one.
 */
const isRequestOpen = (called: Application, after: Proposal, contract: LenderContract | null): boolean => {
  if (called.proposal === null) return false
  const request = openRequestOf(called.proposal)
  if (request !== null) return Equal.equals(openRequestOf(after), request)
  return after.status === "DISBURSING" && contract !== null &&
    contract.disbursement_attempt < called.proposal.disbursement_attempt
}

/**
 * Returns the outcome after the lender refused a cancellation, refund or signature link. If another call is pending,
 * the job runs again at once. Example: the submission of a contract is still unanswered when its cancellation is
 * refused.
 */
const afterRefusedExit = (application: Application) => {
  const { proposal } = application
  return proposal !== null && isCallPending(proposal) ? Effect.succeed(runAgain(jobStarted)) : outcomeNow(application)
}

const repeatLater = ({ proposal_id }: Proposal, progress: JobProgress, failure: LenderUnavailable) =>
  Effect.as(
    logUnavailable("the lender did not answer a contract request; retrying", failure, {
      attempt: progress.attempt,
      proposal_id
    }),
    isOwnFailure(failure)
      ? outcomeOfRepeat(proposal_id, progress, failure.retry_after_ms)
      : outcomeOfWithheld(proposal_id, progress, failure)
  )

/** Returns the outcome after the circuit breaker withheld a call because of other jobs (LENDER-25). */
const outcomeOfWithheld = (
  proposal_id: ProposalId,
  progress: JobProgress,
  { retry_after_ms }: Pick<LenderUnavailable, "retry_after_ms">
): JobOutcome => ({ _tag: "RETRY", after_ms: contractRetryDelayMs(proposal_id, 1, retry_after_ms), progress })

/** Returns the outcome that repeats the call to the lender after a delay (PROP-12) and a poll. */
const outcomeOfRepeat = (
  proposal_id: ProposalId,
  { attempt, pauses }: JobProgress,
  retry_after_ms?: number
): JobOutcome => ({
  _tag: "RETRY",
  after_ms: contractRetryDelayMs(proposal_id, Math.max(attempt, 1), retry_after_ms),
  progress: { attempt: Math.max(attempt, 1) + 1, pauses: pauses + 1, is_poll_next: true }
})
