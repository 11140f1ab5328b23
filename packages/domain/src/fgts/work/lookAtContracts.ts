import { Effect, Option, Result } from "effect"
import { type ProposalId } from "../../id/ProposalId.ts"
import { millisOf, now, timestampOf } from "../../time/Timestamp.ts"
import { Lender } from "../lender/Lender.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { nextLook } from "./nextLook.ts"
import { recordContract } from "./recordContract.ts"

/** How many contracts one round looks at, at most. */
export const contractsPerRound = 100

/** How many of them at a time. */
const concurrency = 10

/**
 * Asks the lender how each contract stands that is due to be looked at, and records what is news. Answers how many were looked
 * at; run it again and again. Two rounds beside each other only ask twice. A look that fails is logged, spoils no other, and
 * comes again.
 */
export const lookAtContracts = Effect.fnUntraced(function*() {
  const due = yield* (yield* ApplicationRepository).dueContracts(yield* now, contractsPerRound)
  yield* Effect.forEach(due, (one) => Effect.ignoreCause(lookAtContract(one), { log: "Warn" }), {
    concurrency,
    discard: true
  })
  return due.length
})

/** Milliseconds after which it is looked again at what could not be recorded. */
const secondLookMs = 10_000

/**
 * Asks the lender how one contract stands, and records it where that is news. The next look is put off before it asks, so that
 * nothing that happens meanwhile is put off with it; what could not be recorded is looked at again soon. Fails when the database
 * is busy.
 */
export const lookAtContract = Effect.fn("lookAtContract")(function*(proposal_id: ProposalId) {
  const applications = yield* ApplicationRepository
  const found = yield* applications.ofProposal(proposal_id)
  if (Option.isNone(found) || found.value.proposal === null) return
  const { proposal } = found.value
  const at = yield* now
  const again = nextLook(proposal, at)
  if (proposal.reference === null || again === null) return
  yield* applications.postponeLook(proposal_id, again)
  const contract = yield* Effect.result((yield* Lender).contract(proposal.reference))
  if (Result.isSuccess(contract)) {
    const soon = timestampOf(millisOf(at) + secondLookMs)
    const recorded = recordContract(found.value, contract.success)
    return yield* Effect.asVoid(Effect.tapCause(recorded, () => applications.postponeLook(proposal_id, soon)))
  }
  yield* Effect.annotateLogs(Effect.logWarning("the lender did not say how a contract stands"), {
    proposal_id,
    reason: contract.failure.reason,
    detail: contract.failure.detail
  })
})
