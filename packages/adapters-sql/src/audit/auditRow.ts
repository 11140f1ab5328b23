import { type AuditEntry } from "@lastro/domain/audit"
import { toTimestamp } from "../database/columnValues.ts"

/** A row of the table `audit`. */
export interface AuditRow extends Omit<AuditEntry, "at"> {
  readonly at: Date
}

/**
 * A row of a page: the total, and an entry. If the page is empty, the one row has null in every column of the entry. If
 * the query stopped at its budget, the total is null.
 */
export type AuditPageRow = (AuditRow | Readonly<Record<keyof AuditRow, null>>) & { readonly total: bigint | null }

export const isEntry = (row: AuditPageRow): row is AuditRow & AuditPageRow => row.id !== null

/** The columns of an {@link AuditRow}. The table alias is `item`. */
export const auditColumns =
  "item.id, item.at, item.actor, item.action, item.subject_id, item.partner_id, item.before, item.after, item.changed, item.request_id"

export const auditEntryOf = (
  { action, actor, after, at, before, changed, id, partner_id, request_id, subject_id }: AuditRow
): AuditEntry => ({
  id,
  at: toTimestamp(at),
  actor,
  action,
  subject_id,
  partner_id,
  before,
  after,
  changed,
  request_id
})
