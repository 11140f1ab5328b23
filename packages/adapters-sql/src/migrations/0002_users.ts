import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { trigramOps } from "./indexes.ts"

/** Creates users and API clients. `root_id` is the root of their partner's tree. */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const trigrams = yield* trigramOps
  yield* sql`
    create table app_user (
      id uuid primary key,
      partner_id uuid not null references partner on delete restrict,
      root_id uuid not null references partner on delete restrict,
      group_id uuid not null,
      status text collate "C" not null check (status in ('ACTIVE', 'INACTIVE')),
      name text not null,
      name_folded text collate "C" not null,
      email text not null,
      email_folded text collate "C" not null,
      email_key text collate "C" not null,
      phone text collate "C" not null,
      cpf text collate "C" not null,
      must_change_password boolean not null,
      password_hash text not null,
      credentials_version integer not null default 0,
      created_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    )`
  yield* sql`create unique index app_user_email_key on app_user (email_key) where deleted_at is null`
  yield* sql`create index app_user_partner on app_user (partner_id, created_at, id) where deleted_at is null`
  yield* sql`
    create index app_user_created on app_user (root_id, created_at, id) include (partner_id) where deleted_at is null`
  yield* sql`
    create index app_user_name on app_user (root_id, name_folded, id) include (partner_id) where deleted_at is null`
  yield* sql`
    create index app_user_email on app_user (root_id, email_folded, id) include (partner_id) where deleted_at is null`
  yield* sql`
    create index app_user_cpf on app_user (root_id, cpf, id) include (partner_id) where deleted_at is null`
  yield* sql`
    create index app_user_search on app_user
      using gin (name_folded ${trigrams}, email_folded ${trigrams}, cpf ${trigrams})
      where deleted_at is null`

  yield* sql`
    create table api_client (
      client_id text collate "C" primary key,
      partner_id uuid not null references partner on delete restrict,
      group_id uuid not null,
      secret_hash text not null,
      credentials_version integer not null default 0,
      created_at timestamptz(3) not null,
      revoked_at timestamptz(3)
    )`
  yield* sql`create index api_client_partner on api_client (partner_id)`
})
