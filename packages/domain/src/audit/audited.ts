import { Effect, type Schema } from "effect"
import { IdGenerator } from "../id/IdGenerator.ts"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Caller } from "../identity/Caller.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { AuditLog, RequestId } from "./AuditLog.ts"
import { changedFields } from "./changedFields.ts"
import { maskPersonalData } from "./maskPersonalData.ts"

/** A mutation to record in the audit. */
export interface Mutation {
  readonly at: Timestamp
  /** The caller, or the principal of a session. Null for the operator at the command line. */
  readonly caller: Pick<Caller, "subject"> | null
  readonly action: string
  readonly subject_id: string
  readonly partner_id: PartnerId
  readonly before?: Schema.Json
  readonly after?: Schema.Json
}

/** Records a mutation in the audit, with personal data masked. Call it in the transaction of the mutation. */
export const audited = Effect.fnUntraced(function*(mutation: Mutation) {
  const { after = null, before = null } = mutation
  yield* (yield* AuditLog).record({
    id: yield* (yield* IdGenerator).next,
    at: mutation.at,
    actor: mutation.caller?.subject ?? "operator",
    action: mutation.action,
    subject_id: mutation.subject_id,
    partner_id: mutation.partner_id,
    before: maskPersonalData(before),
    after: maskPersonalData(after),
    changed: changedFields(before, after),
    request_id: yield* RequestId
  })
})
