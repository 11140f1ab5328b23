import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Creates the indexes for lists of audit entries. Writes to the table wait meanwhile: about one second for each million
 * entries and index. An operator can create the indexes `concurrently` before the upgrade (docs/upgrading.md).
 */
export const auditIndexes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index if not exists audit_partner_at on audit (partner_id, at, id)`
  yield* sql`create index if not exists audit_at on audit (at, id)`
  yield* sql`create index if not exists audit_actor on audit (actor, at, id)`
  yield* sql`create index if not exists audit_action on audit (action, at, id)`
})

/**
 * Adds the columns and indexes for erasing personal data and for lists of audit entries. Nodes of the previous version
 * keep working: the new columns are null by default, and only indexes are replaced.
 *
 * `erased_at` is the time at which the personal data of a record was erased. `record_id` is the record of a stored
 * response, so that the response can be deleted with the personal data of the record. No row is rewritten. The
 * exclusive locks are acquired after the indexes of the audit are created.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* auditIndexes
  for (const table of ["application", "app_user", "partner"]) {
    yield* sql`alter table ${sql(table)} add column erased_at timestamptz(3)`
  }
  for (const table of ["app_user", "partner"]) {
    yield* sql`
      create index ${sql(`${table}_deleted`)} on ${sql(table)} (deleted_at)
      where deleted_at is not null and erased_at is null`
  }
  yield* sql`alter table idempotency add column record_id text`
  yield* sql`create index idempotency_record on idempotency (record_id) where record_id is not null`
  yield* sql`drop index audit_partner`
})
