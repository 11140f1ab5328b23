import { type AuditEntry } from "@lastro/domain/audit"
import { Context, type Effect } from "effect"

/** Reads back the audit log, which the domain only writes. The layer of a contract suite provides it. */
export class AuditInspector extends Context.Service<AuditInspector, {
  /** Returns the entries of one subject in the order in which they were recorded. */
  readonly entriesOf: (subject_id: string) => Effect.Effect<ReadonlyArray<AuditEntry>>
}>()("@lastro/testkit/audit/AuditInspector") {}
