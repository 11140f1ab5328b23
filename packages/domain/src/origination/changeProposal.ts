import { Effect, type Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { type InScope, judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { type Application } from "../loan/Application.ts"
import { type ApplicationEvent } from "../loan/ApplicationEvent.ts"
import { type LenderExits } from "../loan/LenderContract.ts"
import { type ProposalId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { changeForCaller } from "./changeForCaller.ts"
import { DurableWork } from "./DurableWork.ts"
import { exitsOfLender } from "./exitsOfLender.ts"
import { ProposalRepository } from "./ProposalRepository.ts"
import { maskProposal, proposalDetail } from "./PublicProposalDetail.ts"
import { isContracted } from "./PublicProposalListItem.ts"
import { saveDecision } from "./saveDecision.ts"

/** A change of a proposal that its job carries out at the lender. */
export interface ProposalChange<E> {
  readonly action: string
  readonly key: SentKey | undefined
  readonly decide: (
    application: Application,
    at: Timestamp,
    exits: LenderExits | null
  ) => Result.Result<ReadonlyArray<ApplicationEvent>, E>
}

/** Changes a proposal in the caller's subtree, at most once for each idempotency key, and starts the job of its contract. */
export const changeProposal = Effect.fnUntraced(function*<E>(
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  { action, decide, key }: ProposalChange<E>
) {
  const { caller } = allowed
  const found = yield* (yield* ProposalRepository).find(scopeOf(allowed), proposal_id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  const exits = yield* exitsOfLender
  const change = Effect.fnUntraced(function*(application: InScope<Application>, at: Timestamp) {
    const decided = decide(application.record, at, exits)
    const after = yield* saveDecision(application, decided, { at, caller, action })
    if (after !== application.record) yield* (yield* DurableWork).startContract(proposal_id)
    return isContracted(after) ? proposalDetail(after, "full") : yield* new NotFound()
  })
  const shown = maskProposal(personalDataView(caller))
  return yield* changeForCaller(allowed, { application_id: record.application_id, key }, change, shown)
})
