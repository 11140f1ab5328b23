import { Context, type Effect, type Option } from "effect"
import { type Application } from "../fgts/application/Application.ts"
import { type Found, type Scope } from "../hierarchy/Scope.ts"
import { type ProposalId } from "../id/ProposalId.ts"
import { type Slice } from "../paging/Slice.ts"
import { type ProposalQuery } from "./ProposalQuery.ts"
import { type PublicProposalListItem } from "./PublicProposalListItem.ts"

/** Reads proposals, which are kept with their applications. */
export class ProposalRepository extends Context.Service<ProposalRepository, {
  /** The application that this proposal belongs to, wherever it lies; sealed with whether its partner lies in `scope`. */
  readonly find: (scope: Scope, id: ProposalId) => Effect.Effect<Option.Option<Found<Application>>>
  /**
   * The asked page of the proposals whose partner is in scope and that pass every filter, each as `proposalListItem` shows it,
   * and how many pass in all, in one snapshot.
   */
  readonly list: (scope: Scope, query: ProposalQuery) => Effect.Effect<Slice<PublicProposalListItem>>
}>()("@lastro/domain/proposal/ProposalRepository") {}
