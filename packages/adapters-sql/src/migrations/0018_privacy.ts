import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/** Adds the columns. Each table is locked only briefly, because no row is rewritten. */
const addColumns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["application", "app_user", "partner"]) {
    yield* sql`alter table ${sql(table)} add column if not exists erased_at timestamptz(3)`
  }
  yield* sql`alter table idempotency add column if not exists record_id text`
})

/**
 * Prepares the migration: adds the columns, and then creates each index in its own transaction, without the exclusive
 * locks that adding the columns takes. An operator can create the indexes of the audit `concurrently` before the
 * upgrade (docs/upgrading.md).
 */
export const preparePrivacy = [
  ...createIndexes({
    audit_partner_at: "on audit (partner_id, at, id)",
    audit_at: "on audit (at, id)",
    audit_actor: "on audit (actor, at, id)",
    audit_action: "on audit (action, at, id)"
  }),
  addColumns,
  ...createIndexes({
    app_user_deleted: "on app_user (deleted_at) where deleted_at is not null and erased_at is null",
    partner_deleted: "on partner (deleted_at) where deleted_at is not null and erased_at is null",
    idempotency_record: "on idempotency (record_id) where record_id is not null"
  })
]

/**
 * Adds the columns and indexes for erasing personal data and for lists of audit entries. Nodes of the previous version
 * keep working: the new columns are null by default, and only indexes are replaced.
 *
 * `erased_at` is the time at which the personal data of a record was erased. `record_id` names the record of a stored
 * response, so that the response can be deleted with the personal data of the record.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(preparePrivacy, { discard: true })
  yield* sql`drop index audit_partner`
})
