import { Effect, type Schema } from "effect"
import { type Caller } from "../access/Caller.ts"
import { isJsonObject, isSame } from "../input/json.ts"
import { IdGenerator } from "../ports/generators.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { AuditLog, RequestId } from "./AuditLog.ts"
import { maskPersonalData } from "./maskPersonalData.ts"

/**
 * The audit lists the paths of the fields that differ between two records (`name`, `pix.key`), in field order. The list
 * is empty if one of the records is absent. An array counts as one field, and so does an object that only one record
 * has.
 * @rule AUDIT-02
 */
export const changedFields = (before: Schema.Json, after: Schema.Json): ReadonlyArray<string> => {
  if (!isJsonObject(before) || !isJsonObject(after)) return []
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Array.from(names).flatMap((name) => {
    const [oldValue, newValue] = [fieldOf(before, name), fieldOf(after, name)]
    if (isSame(oldValue, newValue)) return []
    const paths = oldValue === undefined || newValue === undefined ? [] : changedFields(oldValue, newValue)
    return paths.length === 0 ? [name] : paths.map((path) => `${name}.${path}`)
  })
}

const fieldOf = (record: Schema.JsonObject, name: string): Schema.Json | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** An action to record in the audit: a change, an action of a session, or a read of personal data (PRIV-12). */
export interface AuditedAction {
  readonly at: Timestamp
  /** The caller, or the principal of a session. Null for the operator. */
  readonly caller: Pick<Caller, "subject"> | null
  readonly action: string
  readonly subject_id: string
  readonly partner_id: PartnerId
  readonly before?: Schema.Json
  readonly after?: Schema.Json
}

/** Records an action in the audit, with personal data masked. A change is recorded in its own transaction. */
export const recordAudit = Effect.fnUntraced(function*(audited: AuditedAction) {
  const { after = null, before = null } = audited
  yield* (yield* AuditLog).record({
    id: yield* (yield* IdGenerator).next,
    at: audited.at,
    actor: audited.caller?.subject ?? "operator",
    action: audited.action,
    subject_id: audited.subject_id,
    partner_id: audited.partner_id,
    before: maskPersonalData(before),
    after: maskPersonalData(after),
    changed: changedFields(before, after),
    request_id: yield* RequestId
  })
})
