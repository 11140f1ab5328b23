import { Context, type Effect, type Option, type Stream } from "effect"
import { type FoundRecord, type InScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type WholeQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { Refusal } from "../input/Refusal.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PartnerDetail, type PartnerListItem } from "./PartnerDetail.ts"
import { type PartnerQuery } from "./PartnerQuery.ts"

/** Another partner under the same root has this document number. */
export class DocumentTaken extends Refusal("DocumentTaken", "Another partner in this tree has this document number.") {}

/** The partner still has children, users, unfinished applications or commissions. */
export class PartnerHasDependents
  extends Refusal("PartnerHasDependents", "Other records still belong to this partner. Move or delete them first.", [
    "children",
    "users",
    "applications"
  ])<{
    readonly children: number
    readonly users: number
    readonly applications: number
    /** True if the partner has unpaid commissions, or earns one from a contract in progress. */
    readonly has_commissions: boolean
  }>
{}

/** The dependents of a partner: children and users that are not deleted, unfinished applications, and commissions. */
export interface Dependents {
  readonly children: number
  readonly users: number
  readonly applications: number
  /** The sum of the partner's commission entries that are not PAID, in centavos. */
  readonly unpaid_commissions: number
  /** The number of unfinished contracts whose frozen commission names the partner. */
  readonly open_commissions: number
}

/** Stores partners. Never returns deleted partners. Writes join the surrounding transaction (see UnitOfWork). */
export class PartnerRepository extends Context.Service<PartnerRepository, {
  /**
   * Finds a partner by id in any tree. The result records whether the partner is in `scope`, and is readable only
   * through `judgeFound`.
   */
  readonly find: (scope: SubtreeScope, id: PartnerId) => Effect.Effect<Option.Option<FoundRecord<PartnerDetail>>>
  /** Finds a partner like `find`, and locks it until the transaction ends. */
  readonly findForUpdate: (
    scope: SubtreeScope,
    id: PartnerId
  ) => Effect.Effect<Option.Option<FoundRecord<PartnerDetail>>>
  /**
   * Returns a page of the partners in scope that match all filters, and the total number of matches, from one snapshot.
   * Fails with ReadBudgetExceeded if the read would examine more than `budget` records. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: PartnerQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<PartnerListItem>, ReadBudgetExceeded>
  /**
   * Streams all records that match, in the order of `list` and from one snapshot. Each pull reads one batch, and
   * nothing is read before the first pull.
   */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<PartnerQuery>) => Stream.Stream<PartnerListItem>
  /** Inserts a partner below `parent`. Fails if another partner under the same root has its document number. */
  readonly insert: (parent: InScope<PartnerId>, partner: PartnerDetail) => Effect.Effect<void, DocumentTaken>
  /** Inserts the root of a new tree. */
  readonly insertRoot: (partner: InScope<PartnerDetail>) => Effect.Effect<void, DocumentTaken>
  /**
   * Saves all fields except `person_type`, `document_number` and `created_at`, which never change, and `parent_id`,
   * which `PartnerTree.move` changes.
   */
  readonly update: (before: InScope<PartnerDetail>, after: PartnerDetail) => Effect.Effect<void>
  /** Marks the partner as deleted. A new partner can use its document number. */
  readonly remove: (partner: InScope<PartnerDetail>, at: Timestamp) => Effect.Effect<void>
  /** Counts the dependents that prevent the deletion of this partner. */
  readonly dependents: (partner: InScope<PartnerDetail>) => Effect.Effect<Dependents>
}>()("@lastro/domain/partner/PartnerRepository") {}
