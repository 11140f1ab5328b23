import { Context, type Effect } from "effect"
import { type SubtreeScope } from "../hierarchy/Scope.ts"
import { type ListQuery } from "../paging/ListQuery.ts"
import { type ListSlice } from "../paging/Page.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { type AuditEntry } from "./AuditLog.ts"

/** The fields that audit entries can be sorted by. */
export const auditSortFields = ["at"] as const
/** A field that audit entries can be sorted by. */
export type AuditSortField = typeof auditSortFields[number]

/** Filters, combined with AND. Absent filters do not apply. Texts must be equal. */
export interface AuditFilters {
  readonly subject_id?: string
  readonly actor?: string
  readonly action?: string
  /** Earliest time, inclusive. */
  readonly from?: Timestamp
  /** Latest time, exclusive. */
  readonly to?: Timestamp
}

/** A parsed query for a list of audit entries. */
export type AuditQuery = ListQuery<AuditFilters, AuditSortField>

/**
 * Reads the audit entries that {@link AuditLog} stores. It is a port of its own, so that a host that stores entries elsewhere can replace
 * `AuditLog` alone. The list then has only the entries that Lastro stores.
 */
export class AuditTrail extends Context.Service<AuditTrail, {
  /**
   * Returns a page of the entries of the partners in scope, deleted partners included, that match all filters, and their total number, from one
   * snapshot. Entries of the same time are ordered by id. Refuses a read over the `ReadBudget`.
   */
  readonly list: (scope: SubtreeScope, query: AuditQuery) => Effect.Effect<ListSlice<AuditEntry>>
}>()("@lastro/domain/audit/AuditTrail") {}
