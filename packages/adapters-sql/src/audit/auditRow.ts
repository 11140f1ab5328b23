import { type AuditEntry } from "@lastro/domain/audit"
import { toTimestamp } from "../database/columnValues.ts"

/** A row of the table `audit`. */
export interface AuditRow extends Omit<AuditEntry, "at"> {
  readonly at: Date
}

/**
 * The total, and an entry of the page. Every column of the entry is null if the page is empty. The total is null if the
 * read would exceed its budget.
 */
export type AuditPageRow = (AuditRow | Readonly<Record<keyof AuditRow, null>>) & { readonly total: bigint | null }

/** Returns true if a row contains an entry. */
export const isEntry = (row: AuditPageRow): row is AuditRow & AuditPageRow => row.id !== null

/** The columns of an {@link AuditRow}. The table alias is `item`. */
export const auditColumns =
  "item.id, item.at, item.actor, item.action, item.subject_id, item.partner_id, item.before, item.after, item.changed, item.request_id"

/** Converts a row to an audit entry. */
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
