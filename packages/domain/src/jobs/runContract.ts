import { Effect, Option } from "effect"
import { atLender, lenderOfRecord, lenderRegistry } from "../lender/Lenders.ts"
import { type Application, lenderOfContract } from "../loan/Application.ts"
import { referenceOf } from "../loan/Proposal.ts"
import { isProposalExpired, proposalExpiresAt } from "../loan/proposalExpiry.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { type ProposalId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { isCallPending } from "./contractCalls.ts"
import { jobAnswered, jobDone, type JobOutcome, type JobProgress, jobStarted } from "./Job.ts"
import { waitForLender } from "./logUnavailable.ts"
import { outcomeNow, outcomeOfPoll, pollOnce } from "./pollContract.ts"
import { record } from "./recordAnswer.ts"
import { submitOnce } from "./submitContract.ts"
import { cancelUnwanted, unwantedReference } from "./unwantedContract.ts"

/**
 * Reads the application of a proposal, and passes it to `run` with the start time of the run. The run calls only the
 * lender of the contract. Returns DONE if there is no such proposal.
 */
const ofProposal = <E, R>(
  proposal_id: ProposalId,
  progress: JobProgress,
  run: (application: Application, began_at: Timestamp) => Effect.Effect<JobOutcome, E, R>
) =>
  Effect.gen(function*() {
    const began_at = yield* currentTimestamp
    const found = yield* (yield* ApplicationRepository).ofProposal(proposal_id)
    if (Option.isNone(found)) return jobDone
    const application = found.value
    const code = lenderOfContract(application)
    const lender = lenderOfRecord(yield* lenderRegistry, code)
    return lender === undefined
      ? yield* waitForLender(code, progress)
      : yield* atLender(lender)(run(application, began_at))
  })

/**
 * Runs the job of a contract once. Until the lender answers, a run makes the pending call: it submits the contract, or
 * requests a payment, a cancellation, a refund or a signature link. After that, a run polls the contract. While only a
 * person can continue the proposal (FGTS-54), the job waits. The job ends when the status is final, or after the last
 * poll of a paid contract (PROP-17).
 */
export const runContract = Effect.fn("runContract")((proposal_id: ProposalId, progress: JobProgress = jobStarted) =>
  ofProposal(proposal_id, progress, (application, began_at) => {
    const unwanted = unwantedReference(application, progress)
    if (unwanted !== null) return cancelUnwanted(application, unwanted, progress)
    if (proposalExpiresAt(application) !== null) return Effect.flatMap(expireProposal(application), outcomeNow)
    if (isAnswered(application, progress) || !hasPendingCall(application)) {
      return outcomeOfPoll(application, progress)
    }
    return hasReference(application) && progress.is_poll_next === true
      ? pollUnanswered(application, progress)
      : submitOnce(application, progress, began_at)
  })
)

/**
 * Makes the pending call of a contract once. It can be repeated at any time, even concurrently, because every call
 * sends the same idempotency keys.
 */
export const submitContract = Effect.fn("submitContract")((
  proposal_id: ProposalId,
  progress: JobProgress = jobStarted
) => ofProposal(proposal_id, progress, (application, began_at) => submitOnce(application, progress, began_at)))

/** Polls a contract once and returns the outcome of the run. It can be repeated at any time, even concurrently. */
export const pollContract = Effect.fn("pollContract")((proposal_id: ProposalId) =>
  ofProposal(proposal_id, jobAnswered, (application) => outcomeOfPoll(application, jobAnswered))
)

/**
 * Returns whether the lender has answered the last call. False for a CANCELLING proposal: its cancellation is repeated
 * until the contract has ended or was paid.
 */
const isAnswered = ({ proposal }: Application, { attempt }: JobProgress): boolean =>
  attempt === 0 && proposal?.status !== "CANCELLING"

const hasPendingCall = ({ proposal }: Application): boolean => proposal !== null && isCallPending(proposal)

const hasReference = ({ proposal }: Application): boolean => proposal !== null && referenceOf(proposal) !== null

/**
 * Polls the contract before an unanswered call is repeated, because the lender can have ended the contract meanwhile.
 * The next run follows at once.
 */
const pollUnanswered = Effect.fnUntraced(function*(application: Application, progress: JobProgress) {
  const { attempt, pauses } = progress
  const { after } = yield* pollOnce(application, progress)
  const next: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: { attempt, pauses } }
  return hasPendingCall(after) ? next : yield* outcomeNow(after)
})

/**
 * Ends an expired proposal (FGTS-54), unless the customer's data was corrected meanwhile. Returns the stored
 * application.
 */
const expireProposal = Effect.fnUntraced(function*(application: Application) {
  if (!isProposalExpired(application, yield* currentTimestamp)) return application
  return yield* record(application, "application.expiry", (_, at) => ({ _tag: "ExpireProposal", at }))
})
