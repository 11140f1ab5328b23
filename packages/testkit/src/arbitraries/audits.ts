import { type AuditEntry, maskPersonalData } from "@lastro/domain/audit"
import { Equal, Predicate, type Schema } from "effect"
import * as fc from "fast-check"
import { partnerDetail, partnerId, timestamp } from "./partners.ts"
import { userDetail, userId } from "./users.ts"

/** A record before and after a change. `before` is null for a creation, `after` for a deletion. */
interface RecordChange {
  readonly action: string
  readonly subject_id: string
  readonly before: Schema.Json
  readonly after: Schema.Json
}

/** Generates creations, updates and deletions of a record. An update never changes the `fixed` fields. */
const changesOf = <A extends { readonly [name: string]: Schema.Json }>(
  noun: string,
  record: fc.Arbitrary<A>,
  subjectOf: (record: A) => string,
  fixed: ReadonlyArray<keyof A>
): fc.Arbitrary<RecordChange> =>
  fc.tuple(record, record, fc.constantFrom("create", "update", "delete")).map(([before, other, verb]) => {
    const updated: A = { ...other, ...Object.fromEntries(fixed.map((name) => [name, before[name]])) }
    const subject = { action: `${noun}.${verb}`, subject_id: subjectOf(before) }
    if (verb === "create") return { ...subject, before: null, after: before }
    return { ...subject, before, after: verb === "delete" ? null : updated }
  })

const recordChange = fc.oneof(
  changesOf("partner", partnerDetail, ({ partner_id }) => partner_id, [
    "partner_id",
    "person_type",
    "document_number",
    "created_at"
  ]),
  changesOf("user", userDetail, ({ user_id }) => user_id, ["user_id", "cpf", "created_at"])
)

/** Lists the paths of the fields that differ. Empty if either value is not a record. */
const changedPaths = (before: unknown, after: unknown, path = ""): ReadonlyArray<string> => {
  if (!Predicate.isReadonlyObject(before) || !Predicate.isReadonlyObject(after)) return path === "" ? [] : [path]
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return Array.from(new Set([...old.keys(), ...current.keys()])).flatMap((name) => {
    const values = [old.get(name), current.get(name)] as const
    return Equal.equals(...values) ? [] : changedPaths(...values, path === "" ? name : `${path}.${name}`)
  })
}

/** Audit entries for the creation, update and deletion of partners and users. The actor is a user or the operator. */
export const auditEntry: fc.Arbitrary<AuditEntry> = fc.tuple(
  recordChange,
  fc.record({
    id: fc.uuid({ version: 7 }),
    at: timestamp,
    actor: fc.oneof(userId, fc.constant("operator")),
    partner_id: partnerId,
    request_id: fc.option(fc.uuid({ version: 7 }))
  })
).map(([{ action, after, before, subject_id }, fields]) => ({
  ...fields,
  action,
  subject_id,
  before: maskPersonalData(before),
  after: maskPersonalData(after),
  changed: changedPaths(before, after)
}))
