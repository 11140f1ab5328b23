import { Context, type Effect, type Option } from "effect"
import { type FoundRecord, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type ListSlice } from "../input/Page.ts"
import { type Application } from "../loan/Application.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type ProposalId } from "../values/ids.ts"
import { type ProposalQuery } from "./ProposalQuery.ts"
import { type PublicProposalListItem } from "./PublicProposalListItem.ts"

/** Reads proposals. They are stored with their applications. */
export class ProposalRepository extends Context.Service<ProposalRepository, {
  /**
   * Finds the application of a proposal, in or outside `scope`. The result is opaque: only `judgeFound` can read it,
   * after it has checked the scope.
   */
  readonly find: (scope: SubtreeScope, id: ProposalId) => Effect.Effect<Option.Option<FoundRecord<Application>>>
  /**
   * Returns a page of the proposals in scope that match all filters, and the total number of matches, from one
   * snapshot. The items are built as by `proposalListItem`. Fails with ReadBudgetExceeded if the read would examine more
   * than `budget` records. Default: unlimited.
   */
  readonly list: (
    scope: SubtreeScope,
    query: ProposalQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<PublicProposalListItem>, ReadBudgetExceeded>
}>()("@lastro/domain/origination/ProposalRepository") {}
