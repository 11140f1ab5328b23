import { type AuditEntry } from "@lastro/domain/audit"
import { Context, type Effect } from "effect"

/**
 * Reads the audit log without a scope. Contract suites that check the entries of `AuditLog` alone require this service from
 * their layer.
 */
export class AuditInspector extends Context.Service<AuditInspector, {
  /** Returns the audit entries about the record with this id, oldest first. */
  readonly entriesOf: (subject_id: string) => Effect.Effect<ReadonlyArray<AuditEntry>>
}>()("@lastro/testkit/audit/AuditInspector") {}
