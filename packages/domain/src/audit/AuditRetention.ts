import { Context, Effect, type Stream } from "effect"
import { addMillis, currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { type AuditEntry } from "./AuditLog.ts"

/** Exports and deletes old audit entries of all trees. For the operator and for background work only. */
export class AuditRetention extends Context.Service<AuditRetention, {
  /**
   * Streams the entries before a time, the oldest first. Entries of the same time are ordered by id. Reads in pieces
   * and not from one snapshot, because a long snapshot would keep the database from removing old row versions.
   */
  readonly exportBefore: (before: Timestamp) => Stream.Stream<AuditEntry>
  /**
   * Deletes up to `limit` of the entries before a time, the oldest first, in a transaction of its own. Returns the
   * number of deleted entries. The totals of all lists stay exact.
   */
  readonly deleteBefore: (before: Timestamp, limit: number) => Effect.Effect<number>
}>()("@lastro/domain/audit/AuditRetention") {}

/** Maximum number of entries that one call deletes, so that it holds its locks for only a few dozen milliseconds. */
const pieceSize = 500

/**
 * Audit entries are kept for the retention period after they happened. Without a retention period, they are kept until
 * the operator deletes them. Returns the time before which entries are deleted. `retentionMs` is in milliseconds.
 * @rule AUDIT-05
 */
export const auditKeptFrom = (at: Timestamp, retentionMs: number): Timestamp => addMillis(at, -retentionMs)

/**
 * Deletes up to 500 of the audit entries before a time, and returns the number of deleted entries. Call it again until
 * it returns 0. For the operator only.
 */
export const pruneAudit = Effect.fn("pruneAudit")(function*(before: Timestamp) {
  return yield* (yield* AuditRetention).deleteBefore(before, pieceSize)
})

/**
 * Deletes up to 500 of the audit entries whose retention period has passed (AUDIT-05), and returns the number of
 * deleted entries. Call it again until it returns 0. Several nodes can run it at the same time. For background work
 * only.
 */
export const deleteOldAudit = Effect.fn("deleteOldAudit")(function*(retentionMs: number) {
  return yield* pruneAudit(auditKeptFrom(yield* currentTimestamp, retentionMs))
})
