import { Effect, Result } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { type Application } from "../application/Application.ts"
import { decideStartSubmission } from "../application/decideExitAnswer.ts"
import { isFinal, type Proposal } from "../contract/Proposal.ts"
import { Lender } from "../lender/Lender.ts"
import { type LenderContract } from "../lender/LenderContract.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { callInTurn, callLender, CallPostponed, CurrentTurn } from "./callLender.ts"
import { type ContractCall, isCallPending, pendingCall } from "./contractCalls.ts"
import { type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { logUnavailable } from "./logUnavailable.ts"
import { ofProposal } from "./ofProposal.ts"
import { outcomeNow } from "./pollContract.ts"
import { recordInvalid, recordNoContract, recordUnsupported } from "./recordExit.ts"
import { recordContract, recordFromLender } from "./recordFromLender.ts"
import { contractRetryDelayMs } from "./retry.ts"

/**
 * Makes the pending call of a contract once: submits the contract, retries its payment, cancels it, requests its refund or a new signature
 * link, and records the answer. Without an answer the call is repeated, because the lender may already have acted on it. Makes no call if none
 * is pending. Fails with Busy if a lock is not available.
 */
export const submitOnce = Effect.fnUntraced(function*(before: Application, progress: JobProgress) {
  const { proposal } = before
  if (proposal === null || !isCallPending(proposal)) return yield* outcomeNow(before)
  const answer = yield* Effect.result(callLender(makeCall(before, yield* Lender)))
  if (Result.isSuccess(answer)) {
    const { application, call, contract } = answer.success
    return yield* outcomeNow(call === null ? application : yield* recordAnswer(application, call, contract))
  }
  const { failure } = answer
  switch (failure._tag) {
    case "SubmissionInvalid":
      return yield* outcomeNow(yield* recordInvalid(before, failure))
    case "LenderUnsupported":
      return yield* afterUnsupported(yield* recordUnsupported(before))
    case "LenderUnavailable":
      return yield* repeatLater(proposal, progress, failure)
    default:
      return yield* Effect.fail(failure)
  }
})

/**
 * Makes the pending call in a slot of the throttle. The start of a submission is recorded in the slot, so that a submission that waits for its
 * slot can be cancelled at once. `call` is null if the application was cancelled meanwhile: then no call is made.
 */
const makeCall = Effect.fnUntraced(function*(before: Application, lender: Lender["Service"]) {
  const application = before.proposal?.asked_at === null ? yield* startSubmission(before) : before
  const { proposal } = application
  if (proposal === null || !isCallPending(proposal)) return { application, call: null, contract: null }
  const call = pendingCall(application, proposal, lender)
  return { application, call, contract: yield* call.run }
})

/** Runs {@link submitOnce}. It can run again at any time, even concurrently, because it always sends the same idempotency keys. */
export const submitContract = Effect.fn("submitContract")((
  proposal_id: ProposalId,
  progress: JobProgress = jobStarted
) => ofProposal(proposal_id, (application) => submitOnce(application, progress)))

/** Records that the lender is about to be asked (PROP-10). Returns the application as it is then: it may have been cancelled meanwhile. */
const startSubmission = (application: Application) =>
  recordFromLender(
    application,
    "application.submission",
    (present, at) => decideStartSubmission(present, { _tag: "StartSubmission", at })
  )

const recordAnswer = Effect.fnUntraced(function*(
  application: Application,
  { answers }: ContractCall,
  contract: LenderContract | null
) {
  if (contract === null) return yield* recordNoContract(application)
  const after = yield* recordContract(application, contract, answers)
  const isUnwanted = after.proposal?.status === "CANCELLED" && !isFinal(contract)
  if (isUnwanted) yield* cancelUnwanted(after, contract)
  return after
})

/**
 * Cancels a contract that the lender returned although the proposal is cancelled. Usually, the answer is older than the cancellation. A node
 * that was frozen during its call can also have created the contract afterwards, if the lender broke its guarantee to create none.
 */
const cancelUnwanted = Effect.fnUntraced(function*({ proposal }: Application, { reference }: LenderContract) {
  if (proposal === null) return
  const { cancellation = null, proposal_id, updated_at } = proposal
  const cancel = (yield* Lender).cancel({
    proposal_id,
    reference,
    reason: cancellation?.reason ?? "OTHER",
    requested_at: cancellation?.requested_at ?? updated_at
  })
  const answer = yield* Effect.result(callAfterSlot(cancel))
  if (Result.isSuccess(answer) && (answer.success === null || isFinal(answer.success))) return
  yield* Effect.annotateLogs(
    Effect.logError(
      "the lender has a contract for a cancelled proposal and did not cancel it; ask the lender to cancel it"
    ),
    { proposal_id }
  )
})

/**
 * Calls the lender, after a wait of at most 30 seconds if the call is postponed once. For the second call of a run, which no later run repeats.
 */
const callAfterSlot = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    callInTurn(call),
    (error) => error instanceof CallPostponed,
    ({ after_ms = 1_000, slot_at }) =>
      Effect.gen(function*() {
        yield* Effect.sleep(Math.min(after_ms, 30_000))
        return yield* Effect.provideService(callInTurn(call), CurrentTurn, { ...yield* CurrentTurn, slot_at })
      })
  )

/** Returns the outcome after a refused exit. A call that the exit interrupted, such as the submission, follows at once. */
const afterUnsupported = (application: Application) => {
  const next: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: jobStarted }
  const { proposal } = application
  return proposal !== null && isCallPending(proposal) ? Effect.succeed(next) : outcomeNow(application)
}

const repeatLater = Effect.fnUntraced(function*(
  { proposal_id }: Proposal,
  { attempt, pauses }: JobProgress,
  failure: LenderUnavailable
) {
  yield* logUnavailable("the lender did not answer a contract request; retrying", failure, { attempt, proposal_id })
  const next: JobOutcome = {
    _tag: "RETRY",
    after_ms: contractRetryDelayMs(proposal_id, attempt, failure.retry_after_ms),
    progress: { attempt: attempt + 1, pauses: pauses + 1 }
  }
  return next
})
