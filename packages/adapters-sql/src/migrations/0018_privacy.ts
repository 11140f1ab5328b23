import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds what the erasure of personal data and the list of the audit need. Nodes of the version before keep working: the new columns are null by
 * default, and only indexes are replaced.
 *
 * `erased_at` is the time at which the personal data of a record was erased. `record_id` names the record of a stored response, so that the
 * response can be deleted with the personal data of the record. No row is rewritten. The indexes of the audit are created while its table is
 * locked against writes, about one second for each million entries.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
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
  yield* sql`create index audit_partner on audit (partner_id, at, id)`
  yield* sql`create index audit_at on audit (at, id)`
  yield* sql`create index audit_actor on audit (actor, at, id)`
})
