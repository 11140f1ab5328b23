import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Creates the tables of refresh tokens, signing keys and failed sign-ins. Tokens and usernames are stored as hashes.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table refresh_token (
      token_hash bytea primary key,
      family_id text not null,
      user_id uuid not null references app_user on delete restrict,
      scope text not null,
      credentials_version integer not null,
      issued_at timestamptz(3) not null,
      spent_at timestamptz(3),
      revoked_at timestamptz(3)
    )`
  yield* sql`create index refresh_token_family on refresh_token (family_id) where revoked_at is null`
  yield* sql`create index refresh_token_user on refresh_token (user_id) where revoked_at is null`
  yield* sql`create index refresh_token_issued on refresh_token (issued_at)`

  yield* sql`
    create table signing_key (
      kid text primary key,
      private_jwk text not null,
      created_at timestamptz(3) not null,
      retired_at timestamptz(3)
    )`

  yield* sql`
    create table failed_login (
      id bigint generated always as identity primary key,
      username_hash bytea not null,
      ip text not null,
      at timestamptz(3) not null
    )`
  yield* sql`create index failed_login_username on failed_login (username_hash, at, id)`
  yield* sql`create index failed_login_at on failed_login (at)`
})
