import { Effect, type Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { type InScope, judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { type Application } from "../loan/Application.ts"
import { decide } from "../loan/decide.ts"
import { type LenderExits } from "../loan/LenderContract.ts"
import { type RenewSignatureLink, type WithdrawFromProposal } from "../loan/LoanCommand.ts"
import { type ProposalId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { ProposalRepository } from "./ApplicationRepository.ts"
import { changeForCaller } from "./changeForCaller.ts"
import { exitsOfContract } from "./exitsOfLender.ts"
import { maskProposal, proposalDetail } from "./PublicProposalDetail.ts"
import { isContracted } from "./PublicProposalListItem.ts"
import { saveDecision } from "./saveDecision.ts"
import { startContractJob } from "./startJobs.ts"

/**
 * Changes a proposal in the caller's subtree, at most once for each idempotency key, and starts the job that carries
 * out the change at the lender. `commandFor` validates the request and returns the command.
 */
export const changeProposal = Effect.fnUntraced(function*<C extends RenewSignatureLink | WithdrawFromProposal>(
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  action: string,
  key: SentKey | undefined,
  commandFor: (at: Timestamp, exits: LenderExits | null) => Result.Result<C, ValidationFailed>
) {
  const { caller } = allowed
  const found = yield* (yield* ProposalRepository).find(scopeOf(allowed), proposal_id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  const exits = yield* exitsOfContract(record)
  const change = Effect.fnUntraced(function*(application: InScope<Application>, at: Timestamp) {
    const command = yield* Effect.fromResult(commandFor(at, exits))
    const decided = decide(command, application.record)
    const after = yield* saveDecision(application, decided, { at, caller, action })
    if (after !== application.record && after.proposal !== null) yield* startContractJob(after.proposal)
    return isContracted(after) ? proposalDetail(after, "full") : yield* new NotFound()
  })
  const shown = maskProposal(personalDataView(caller))
  return yield* changeForCaller(allowed, { application_id: record.application_id, key }, change, shown)
})
