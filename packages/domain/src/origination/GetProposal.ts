import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { type ProposalId } from "../values/ids.ts"
import { ProposalRepository } from "./ProposalRepository.ts"
import { proposalDetail } from "./PublicProposalDetail.ts"
import { isContracted } from "./PublicProposalListItem.ts"

/** Returns a proposal in the caller's subtree. */
export const getProposal = Effect.fnUntraced(function*(allowed: Allowed<"proposals:read">, id: ProposalId) {
  const found = yield* (yield* ProposalRepository).find(scopeOf(allowed), id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  return isContracted(record) ? proposalDetail(record, personalDataView(allowed.caller)) : yield* new NotFound()
})
