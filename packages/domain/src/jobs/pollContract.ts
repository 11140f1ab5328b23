import { Effect, Result } from "effect"
import { Lender } from "../lender/Lender.ts"
import { type Application } from "../loan/Application.ts"
import { nextSettlementPoll } from "../loan/pledges.ts"
import { isFinal, referenceOf, statusSince } from "../loan/Proposal.ts"
import { proposalExpiresAt } from "../loan/proposalExpiry.ts"
import { currentTimestamp, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { callLender } from "./contractCalls.ts"
import { jobDone, type JobOutcome, type JobProgress, ticketOf } from "./Job.ts"
import { logUnavailable } from "./logUnavailable.ts"
import { recordContract } from "./recordAnswer.ts"

const shortestPauseMs = 100
const longestPauseMs = 15 * 60_000

/** Time for which a paid contract is still polled, in milliseconds: 10 days. */
const observationMs = 10 * 24 * 3_600_000

const shortestObservationPauseMs = 10 * 60_000
const longestObservationPauseMs = 6 * 3_600_000

/**
 * A paid contract is polled for 10 more days, because the lender can reverse it. The delay until the next poll is a
 * tenth of the time since the payment was recorded, at least 10 minutes and at most 6 hours, in milliseconds. The last
 * poll is at the end of the 10 days.
 * @rule PROP-13
 */
export const observationDelayMs = (since_ms: number): number | null => {
  if (since_ms >= observationMs) return null
  const delay_ms = Math.max(Math.floor(since_ms / 10), shortestObservationPauseMs)
  return Math.min(delay_ms, longestObservationPauseMs, observationMs - since_ms)
}

/**
 * Returns the delay until the next poll after the ten days of PROP-13. A contract is then polled ten days after its next
 * due date (PROP-17), or after 6 hours if the last poll got no answer. Null if nothing is left to poll.
 */
const settlementDelayMs = (application: Application, at: Timestamp, isAnswered: boolean): number | null => {
  if (!isAnswered) return longestObservationPauseMs
  const next = nextSettlementPoll(application, at)
  return next === null ? null : millisOf(next) - millisOf(at)
}

/** Returns the delay until the next poll of a contract whose status changed `since_ms` milliseconds ago. */
const contractDelayMs = (since_ms: number): number =>
  Math.floor(Math.min(Math.max(since_ms / 10, shortestPauseMs), longestPauseMs))

/**
 * The delay until the next poll of a submitted contract is a tenth of the time since its last change of status, at
 * least 100 ms and at most 15 minutes. A paid contract is polled after the delays of PROP-13, then at the times of
 * PROP-17. Null for a contract that is final or not submitted, which is not polled.
 * @rule LENDER-03
 */
export const pollDelayMs = (application: Application, at: Timestamp, isAnswered: boolean = true): number | null => {
  const { proposal } = application
  if (proposal === null) return null
  // Changes of other fields do not count. Otherwise a lender that returns new data each time would be polled without a
  // pause.
  const since_ms = Math.max(millisOf(at) - millisOf(statusSince(proposal)), 0)
  switch (proposal.status) {
    case "SUBMITTING":
      return proposal.contract === null ? null : contractDelayMs(since_ms)
    case "AWAITING_SIGNATURE":
    case "GUARANTEE_PENDING":
    case "DISBURSING":
    case "DISBURSEMENT_FAILED":
    case "CANCELLING":
    case "REFUND_PENDING":
      return contractDelayMs(since_ms)
    case "PAID":
      return observationDelayMs(since_ms) ?? settlementDelayMs(application, at, isAnswered)
    default:
      return null
  }
}

/**
 * Returns the outcome of a run that ends at a given time. If only a person can continue the proposal, the job waits
 * until the proposal expires (FGTS-54). It also waits if the proposal is still SUBMITTING without a contract.
 */
const outcomeAt = (application: Application, at: Timestamp, isAnswered: boolean): JobOutcome => {
  const { proposal } = application
  if (proposal === null) return jobDone
  const expires_at = proposalExpiresAt(application)
  if (expires_at !== null) return { _tag: "WAIT", after_ms: Math.max(millisOf(expires_at) - millisOf(at), 0) }
  const isUnconfirmed = proposal.status === "SUBMITTING" && proposal.contract === null
  const after_ms = isUnconfirmed ? longestPauseMs : pollDelayMs(application, at, isAnswered)
  return after_ms === null ? jobDone : { _tag: "WAIT", after_ms }
}

/** Returns the outcome of a run that ends now. */
export const outcomeNow = (application: Application) =>
  Effect.map(currentTimestamp, (at) => outcomeAt(application, at, true))

/** Polls a contract once, and returns the outcome of the run. */
export const outcomeOfPoll = (application: Application, progress: JobProgress) =>
  Effect.flatMap(
    pollOnce(application, progress),
    ({ after, isAnswered }) => Effect.map(currentTimestamp, (at) => outcomeAt(after, at, isAnswered))
  )

/**
 * Polls the lender once for the state of a contract, and records a change. Returns the application afterwards, and
 * whether the lender answered. Makes no call if the contract is final or not submitted. Fails with CallPostponed if the
 * throttle allows no call now, and with Busy if a lock is not available.
 */
export const pollOnce = Effect.fnUntraced(function*(application: Application, progress: JobProgress) {
  const { proposal } = application
  const reference = proposal === null ? null : referenceOf(proposal)
  if (proposal === null || reference === null || isFinal(proposal)) {
    return { after: application, isAnswered: true }
  }
  const { proposal_id } = proposal
  const call = callLender(
    ticketOf({ kind: "contract", id: proposal_id }, progress),
    "poll",
    (yield* Lender).contract(reference)
  )
  const polled = yield* Effect.result(call)
  if (Result.isSuccess(polled)) {
    return { after: yield* recordContract(application, polled.success), isAnswered: true }
  }
  if (polled.failure._tag === "CallPostponed") return yield* polled.failure
  yield* logUnavailable("the lender did not return the status of a contract; polling again later", polled.failure, {
    attempt: 0,
    proposal_id
  })
  return { after: application, isAnswered: false }
})
