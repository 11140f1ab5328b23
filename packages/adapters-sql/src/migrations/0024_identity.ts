import { emailKey } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createIndexes } from "./indexes.ts"

/** Adds the column. The table is locked only briefly, because no row is rewritten. */
const addColumn = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table app_user add column if not exists email_alias text collate "C"`
})

/** Prepares the migration: the column, and its index, which has few rows. */
export const prepareIdentity = [
  addColumn,
  ...createIndexes({
    app_user_email_alias: "on app_user (email_alias) where email_alias is not null and deleted_at is null"
  })
]

interface StoredAddress {
  readonly id: string
  readonly email: string
  readonly email_key: string
}

/**
 * Stores the alias of each user that has the key of an earlier version. If several users have the same address by the
 * rule of this version, the oldest of them gets it, unless another user has it as its key. Returns the ids of the
 * others.
 */
export const storeAliases = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const stored = yield* sql<StoredAddress>`
    select id::text as id, email, email_key from app_user
    where deleted_at is null and octet_length(email) <> char_length(email) order by created_at, id`
  const twins: Array<string> = []
  for (const { email, email_key, id } of stored) {
    const alias = emailKey(email)
    if (alias === email_key) continue
    const changed = yield* sql`
      update app_user set email_alias = ${alias}
      where id = ${id} and not exists (
        select from app_user twin
        where twin.deleted_at is null and twin.id <> ${id} and (twin.email_key = ${alias} or twin.email_alias = ${alias})
      )
      returning id`
    if (changed.length === 0) twins.push(id)
  }
  return twins
})

/** Maximum number of users that the log lists. `lastro check` finds all of them. */
const maxListed = 100

/**
 * `email_alias` is the key of this version (DOC-08) of a user that is stored with the key of an earlier version. The
 * key of the earlier version stays, so that nodes of that version still find the user. `ended_session` has the sessions
 * of revoked access tokens of API clients.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all(prepareIdentity, { discard: true })
  yield* sql`
    create table ended_session (
      session text collate "C" primary key,
      ends_at timestamptz(3) not null
    )`
  yield* sql`create index ended_session_ends on ended_session (ends_at)`
  const twins = yield* storeAliases
  if (twins.length === 0) return
  yield* Effect.logWarning(
    "The e-mail addresses of these users count as those of other users (rule DOC-08). They keep signing in. Ask them to choose " +
      "other addresses.",
    { count: twins.length, user_ids: twins.slice(0, maxListed) }
  )
})
