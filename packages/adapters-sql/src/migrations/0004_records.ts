import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Creates the audit log, ordered by `position`, and the table of encrypted responses for idempotency keys. */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table audit (
      id uuid primary key,
      position bigint generated always as identity,
      at timestamptz(3) not null,
      actor text not null,
      action text not null,
      subject_id text not null,
      partner_id uuid not null references partner on delete restrict,
      before jsonb,
      after jsonb,
      changed text[] not null,
      request_id text
    )`
  yield* sql`create index audit_subject on audit (subject_id, position)`
  yield* sql`create index audit_partner on audit (partner_id, position)`

  yield* sql`
    create table idempotency (
      slot bytea primary key,
      partner_id uuid not null references partner on delete restrict,
      sealed bytea not null,
      stored_at timestamptz(3) not null
    )`
  yield* sql`create index idempotency_stored on idempotency (stored_at)`
})
