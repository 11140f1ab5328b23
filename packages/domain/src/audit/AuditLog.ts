import { Context, type Effect, type Schema } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Timestamp } from "../time/Timestamp.ts"

/** What a mutation leaves behind: who did what to which record, when, and how it looked before and after, masked. */
export interface AuditEntry {
  readonly id: string
  readonly at: Timestamp
  /** The `sub` of who did it, or `operator`. */
  readonly actor: string
  /** `partner.create`, `user.update`, `session.start`, … */
  readonly action: string
  readonly subject_id: string
  /** The partner the record belongs to. */
  readonly partner_id: PartnerId
  /** The record before, masked; null where it begins to exist, and where no record is told of. */
  readonly before: Schema.Json
  /** The record after, masked; null where it ceases to exist, and where no record is told of. */
  readonly after: Schema.Json
  /**
   * The fields that differ between the two before masking, which can make them look alike: `name`, `pix.key`. Empty
   * where either is null.
   */
  readonly changed: ReadonlyArray<string>
  /** The request that caused it; null outside a request. */
  readonly request_id: string | null
}

/** The request this work belongs to, for the audit and the logs; null outside a request. */
export const RequestId = Context.Reference<string | null>("@lastro/domain/audit/AuditLog/RequestId", {
  defaultValue: () => null
})

/** Where the audit is kept. An entry is written in the transaction of what it tells of, or not at all. */
export class AuditLog extends Context.Service<AuditLog, {
  readonly record: (entry: AuditEntry) => Effect.Effect<void>
}>()("@lastro/domain/audit/AuditLog") {}
