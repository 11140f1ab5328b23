import { Context, type Effect, type Option, type Stream } from "effect"
import { type FoundRecord, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type ListQuery, type WholeQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type PartnerFilter } from "../ports/partnerFilter.ts"
import { type PartnerId, type ProposalId } from "../values/ids.ts"
import { type EntryKind, type EntryStatus, type StoredEntry } from "./CommissionEntry.ts"
import { type Period } from "./period.ts"

/** The fields by which entries can be sorted. */
export const entrySortFields = ["occurred_at", "amount"] as const

/** An entry must match all filters. An absent filter matches every entry. */
export interface EntryFilters {
  /** With `subtree`: the entries of the partner, and those of other partners that have this partner as a viewer. */
  readonly partner?: PartnerFilter
  readonly period?: Period
  readonly status?: EntryStatus
  readonly kind?: EntryKind
  readonly proposal_id?: ProposalId
  readonly lender?: string
}

/** A parsed query for a list of entries. */
export type EntryQuery = ListQuery<EntryFilters, typeof entrySortFields[number]>

/**
 * The ledger of commissions. Entries are appended and never deleted, and only `status` and `payout_id` change. Writes
 * join the surrounding transaction.
 *
 * A partner sees an entry if it is one of the `viewers` of the entry. Moves do not change this.
 */
export class CommissionLedger extends Context.Service<CommissionLedger, {
  /**
   * Appends entries. Leaves out an ACCRUAL or a CLAWBACK if its partner already has one of this kind for the contract.
   */
  readonly append: (entries: ReadonlyArray<StoredEntry>) => Effect.Effect<void>
  /** Returns the ACCRUALs of a contract, in any order. */
  readonly accruals: (proposal_id: ProposalId) => Effect.Effect<ReadonlyArray<StoredEntry>>
  /**
   * Finds a proposal by id in any tree. The result records whether its partner is in `scope`, and is readable only
   * through `judgeFound`.
   */
  readonly findContract: (
    scope: SubtreeScope,
    id: ProposalId
  ) => Effect.Effect<Option.Option<FoundRecord<ProposalId>>>
  /** Returns the closed months of each partner from a month on. A partner without closed months may be absent. */
  readonly closedPeriods: (
    partners: ReadonlyArray<PartnerId>,
    from: Period
  ) => Effect.Effect<ReadonlyMap<PartnerId, ReadonlySet<Period>>>
  /**
   * Returns a page of the entries that the partner of the scope sees and that match all filters, and their number. Fails
   * with ReadBudgetExceeded if it would examine more than `budget` entries. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: EntryQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<StoredEntry>, ReadBudgetExceeded>
  /** Streams all entries that match, in the order of `list` and from one snapshot. Nothing is read before the first pull. */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<EntryQuery>) => Stream.Stream<StoredEntry>
}>()("@lastro/domain/commission/CommissionLedger") {}
