import { Schema } from "effect"
import { field } from "../input/field.ts"
import { isJsonObject } from "../input/json.ts"
import { pageSchema } from "../input/Page.ts"
import { PartnerId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { type AuditEntry } from "./AuditLog.ts"
import { maskPersonalData } from "./maskPersonalData.ts"

const masked = Schema.NullOr(Schema.Record(Schema.String, Schema.Json))

/** An audit entry in a list. */
export const AuditItem = Schema.Struct({
  audit_id: field(Schema.String, "The id of the entry", "0197f3a2-9a1b-7c2d-8e3f-4a5b6c7d8e9f"),
  at: field(Timestamp, "When the action took place"),
  actor: field(
    Schema.String,
    "The id of the user or API client; `host:` and an id for a user of the embedding service; `operator` for the command line; `lender` for its statements; `lastro` for an expiry",
    "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051"
  ),
  action: field(Schema.String, "The action, for programs", "application.kyc_read"),
  subject: field(Schema.String, "The id of the record", "0197f3a2-7d3e-7f4a-8b5c-6d7e8f9a0b1c"),
  partner_id: field(PartnerId, "The id of the partner that the record belongs to"),
  request_id: field(
    Schema.NullOr(Schema.String),
    "The `X-Request-Id` of the request if it is a UUID, a ULID or a trace id, otherwise a hash; null for other actions",
    "0197f3a2-8c4e-7a5b-9d6f-7e8f9a0b1c2d"
  ),
  changed_fields: field(Schema.Array(Schema.String), "The paths of the changed fields", ["email", "pix.key"]),
  before: field(masked, "The record before the change, with personal data masked; null if there is none", {
    email: "a***m"
  }),
  after: field(masked, "The record after the change, with personal data masked; null if there is none", {
    email: "b***m"
  })
}).annotate({ identifier: "AuditItem", description: "An audit entry" })
export interface AuditItem extends Schema.Schema.Type<typeof AuditItem> {}

/** A page of audit entries. */
export const AuditPage = pageSchema(AuditItem, "AuditPage")
export type AuditPage = typeof AuditPage.Type

/** Returns a record unchanged, and null for any other value. */
const recordOf = (value: Schema.Json): AuditItem["before"] => isJsonObject(value) ? value : null

/**
 * Converts an audit entry to its form in responses. Stored values are already masked. They are masked again, because
 * earlier versions masked fewer fields.
 */
export const auditItem = (
  { action, actor, after, at, before, changed, id, partner_id, request_id, subject_id }: AuditEntry
): AuditItem => ({
  audit_id: id,
  at,
  actor,
  action,
  subject: subject_id,
  partner_id,
  request_id,
  changed_fields: changed,
  before: recordOf(maskPersonalData(before)),
  after: recordOf(maskPersonalData(after))
})
