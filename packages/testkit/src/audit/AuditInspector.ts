import { type AuditEntry } from "@lastro/domain"
import { Context, type Effect } from "effect"

/**
 * Reads the audit back. The domain only writes it, so that this is no port of the domain: whoever runs the contract
 * suites provides it beside the ports.
 */
export class AuditInspector extends Context.Service<AuditInspector, {
  /** Everything recorded of one record, in the order in which it was recorded. */
  readonly entriesOf: (subject_id: string) => Effect.Effect<ReadonlyArray<AuditEntry>>
}>()("@lastro/testkit/audit/AuditInspector") {}
