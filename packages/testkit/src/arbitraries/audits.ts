import { type AuditEntry, maskPersonalData } from "@lastro/domain"
import { Equal, Predicate, type Schema } from "effect"
import * as fc from "fast-check"
import { partnerDetail, partnerId, timestamp } from "./partners.ts"
import { userDetail, userId } from "./users.ts"

/** A record before and after something happened to it; null where it did not exist. */
interface Fate {
  readonly action: string
  readonly subject_id: string
  readonly before: Schema.Json
  readonly after: Schema.Json
}

/** What may happen to a record: that it begins, is changed into one like another, and ends. */
const fateOf = <A extends { readonly [name: string]: Schema.Json }>(
  noun: string,
  record: fc.Arbitrary<A>,
  subjectOf: (record: A) => string,
  fixed: ReadonlyArray<keyof A>
): fc.Arbitrary<Fate> =>
  fc.tuple(record, record, fc.constantFrom("create", "update", "delete")).map(([one, other, fate]) => {
    const changed: A = { ...other, ...Object.fromEntries(fixed.map((name) => [name, one[name]])) }
    return {
      action: `${noun}.${fate}`,
      subject_id: subjectOf(one),
      before: fate === "create" ? null : one,
      after: fate === "delete" ? null : fate === "update" ? changed : one
    }
  })

const fate = fc.oneof(
  fateOf("partner", partnerDetail, ({ partner_id }) => partner_id, [
    "partner_id",
    "person_type",
    "document_number",
    "created_at"
  ]),
  fateOf("user", userDetail, ({ user_id }) => user_id, ["user_id", "cpf", "created_at"])
)

/** The fields that differ, those of groups by their paths; none where one of the two is no record. */
const differing = (before: unknown, after: unknown, path = ""): ReadonlyArray<string> => {
  if (!Predicate.isReadonlyObject(before) || !Predicate.isReadonlyObject(after)) return path === "" ? [] : [path]
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return Array.from(new Set([...one.keys(), ...other.keys()])).flatMap((name) => {
    const values = [one.get(name), other.get(name)] as const
    return Equal.equals(...values) ? [] : differing(...values, path === "" ? name : `${path}.${name}`)
  })
}

/** Entries of the audit: partners and users that were created, updated and deleted, by callers and by the operator. */
export const auditEntry: fc.Arbitrary<AuditEntry> = fc.tuple(
  fate,
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
  changed: differing(before, after)
}))
