import { Effect, Option, Result } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { currentTimestamp, millisOf, type Timestamp, timestampOf } from "../../time/Timestamp.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { Lender } from "../lender/Lender.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { recordContract } from "./recordFromLender.ts"

const shortestPauseMs = 100
const longestPauseMs = 15 * 60_000

/**
 * The delay until the next poll of a submitted contract is a tenth of the time since its last change of status. It is at least 100 ms and
 * at most 15 minutes. A contract that is final or not yet submitted is not polled.
 * @rule LENDER-03
 */
export const nextPollAt = (proposal: Proposal, at: Timestamp): Timestamp | null => {
  switch (proposal.status) {
    case "AWAITING_SIGNATURE":
    case "GUARANTEE_PENDING":
    case "DISBURSING":
    case "DISBURSEMENT_FAILED": {
      // Changes of other fields do not count. Otherwise a lender that returns a new signature link each time would be polled
      // without a pause.
      const since = millisOf(at) - millisOf(proposal.status_history.at(-1)?.at ?? proposal.created_at)
      return timestampOf(millisOf(at) + Math.min(Math.max(since / 10, shortestPauseMs), longestPauseMs))
    }
    default:
      return null
  }
}

/** Maximum number of contracts polled in one round. */
export const contractsPerRound = 100

/** Number of concurrent polls. */
const concurrency = 10

/**
 * Polls the lender for the state of each due contract and records changes. Returns the number of polled contracts. Run it repeatedly.
 * Concurrent rounds are harmless: they may only poll a contract twice. A failed poll is logged and retried later.
 */
export const pollDueContracts = Effect.fnUntraced(function*() {
  const due = yield* (yield* ApplicationRepository).dueContracts(yield* currentTimestamp, contractsPerRound)
  yield* Effect.forEach(due, (one) => Effect.ignoreCause(pollContract(one), { log: "Warn" }), {
    concurrency,
    discard: true
  })
  return due.length
})

/** Delay in milliseconds until the next poll of a contract whose state could not be recorded. */
const pauseAfterFailureMs = 10_000

/**
 * Polls one contract and records a change. The next poll is scheduled before the lender is called, so that the schedule of a concurrent
 * change is not overwritten. If the state cannot be recorded, the contract is polled again soon. Fails with Busy if a lock is not
 * available.
 */
export const pollContract = Effect.fn("pollContract")(function*(proposal_id: ProposalId) {
  const applications = yield* ApplicationRepository
  const found = yield* applications.ofProposal(proposal_id)
  if (Option.isNone(found) || found.value.proposal === null) return
  const { proposal } = found.value
  const at = yield* currentTimestamp
  const again = nextPollAt(proposal, at)
  if (proposal.reference === null || again === null) return
  yield* applications.postponePoll(proposal_id, again)
  const contract = yield* Effect.result((yield* Lender).contract(proposal.reference))
  if (Result.isSuccess(contract)) {
    const soon = timestampOf(millisOf(at) + pauseAfterFailureMs)
    const recorded = recordContract(found.value, contract.success)
    return yield* Effect.asVoid(Effect.tapCause(recorded, () => applications.postponePoll(proposal_id, soon)))
  }
  yield* Effect.annotateLogs(
    Effect.logWarning("the lender did not return the status of a contract; polling again later"),
    {
      proposal_id,
      reason: contract.failure.reason,
      detail: contract.failure.detail
    }
  )
})
