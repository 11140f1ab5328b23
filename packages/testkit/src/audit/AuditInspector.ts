import { type AuditEntry } from "@lastro/domain/audit"
import { Context, type Effect } from "effect"

/**
 * Reads the audit log without a scope. Only the contract suites that check the entries of `AuditLog` require this service from their layer.
 */
export class AuditInspector extends Context.Service<AuditInspector, {
  /** Returns the audit entries about the record with this id, oldest first. */
  readonly entriesOf: (subject_id: string) => Effect.Effect<ReadonlyArray<AuditEntry>>
}>()("@lastro/testkit/audit/AuditInspector") {}
