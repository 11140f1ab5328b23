import { type Schema } from "effect"
import { type AuditEntry } from "../audit/AuditLog.ts"

/** The fields of `before` and `after` that contain no personal data, in any record. */
const impersonal = new Set([
  "quote",
  "outcome",
  "rejection",
  "proposal",
  "proposal_id",
  "offer_id",
  "status",
  "acceptance",
  "disbursement_attempt",
  "cancellation_reason",
  "user_id",
  "partner_id",
  "parent_id",
  "person_type",
  "group",
  "group_id",
  "slug",
  "must_change_password",
  "created_at",
  "accepted_at"
])

const eraseFields = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return []
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, impersonal.has(name) ? eraseFields(inner) : null])
  )
}

/**
 * The audit entries about an erased record keep their time, actor, action, subject and the paths of the changed fields.
 * In `before` and `after`, only ids, statuses and codes are kept. Every other value becomes null, even a masked one. A
 * path into metadata is cut to `metadata`, because the API consumer chose the key.
 * @rule PRIV-10
 */
export const eraseAuditEntry = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  before: eraseFields(entry.before),
  after: eraseFields(entry.after),
  changed: [...new Set(entry.changed.map((path) => path.startsWith("metadata.") ? "metadata" : path))]
})
