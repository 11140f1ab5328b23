import { type AuditEntry } from "@lastro/domain/audit"
import { Context, type Effect } from "effect"

/** Reads the audit log, which the domain only writes. The layer of a contract suite has to provide this service. */
export class AuditInspector extends Context.Service<AuditInspector, {
  /** Returns the audit entries about the record with this id, oldest first. */
  readonly entriesOf: (subject_id: string) => Effect.Effect<ReadonlyArray<AuditEntry>>
}>()("@lastro/testkit/audit/AuditInspector") {}
