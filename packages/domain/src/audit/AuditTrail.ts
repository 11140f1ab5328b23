import { Context, type Effect, type Stream } from "effect"
import { type SubtreeScope } from "../hierarchy/Scope.ts"
import { type ListQuery, type WholeQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type AuditEntry } from "./AuditLog.ts"

/** The fields by which audit entries can be sorted. */
export const auditSortFields = ["at"] as const
/** A field by which audit entries can be sorted. */
export type AuditSortField = typeof auditSortFields[number]

/** An entry must match all filters. An absent filter matches every entry. Text filters match the exact text. */
export interface AuditFilters {
  readonly subject_id?: string
  readonly actor?: string
  readonly action?: string
  /** The partner that the changed record belongs to. */
  readonly partner_id?: PartnerId
  /** Earliest time, inclusive. */
  readonly from?: Timestamp
  /** Latest time, exclusive. */
  readonly to?: Timestamp
}

/** A parsed query for a list of audit entries. */
export type AuditQuery = ListQuery<AuditFilters, AuditSortField>

/**
 * Reads the audit entries that {@link AuditLog} stores. If a host replaces only `AuditLog`, the list has only the
 * entries from before the replacement.
 */
export class AuditTrail extends Context.Service<AuditTrail, {
  /**
   * Returns a page of the audit entries that match all filters, and the total number of matches, from one snapshot.
   * Only entries of partners in scope match, deleted partners included. Entries of the same time are ordered by id.
   * Fails with ReadBudgetExceeded if the read would examine more than `budget` records. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: AuditQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<AuditEntry>, ReadBudgetExceeded>
  /**
   * Streams all records that match, in the order of `list` and from one snapshot. Each pull reads one batch, and
   * nothing is read before the first pull.
   */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<AuditQuery>) => Stream.Stream<AuditEntry>
}>()("@lastro/domain/audit/AuditTrail") {}
