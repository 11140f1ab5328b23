import { emailKey } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Check, maxExamples } from "./Finding.ts"

/**
 * A user whose stored e-mail key does not match its e-mail address. The key was stored by an earlier version or changed
 * by hand.
 */
interface OutdatedKey {
  readonly id: string
  /** The key that matches the e-mail address. */
  readonly key: string
  /** True if another user has the same e-mail address (rule DOC-08). */
  readonly isTaken: boolean
}

/**
 * Reads the users whose e-mail key is outdated. Earlier versions computed a different key only for addresses with
 * non-ASCII characters.
 */
const readOutdatedKeys: Effect.Effect<ReadonlyArray<OutdatedKey>, SqlError, SqlClient.SqlClient> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: string; readonly email: string; readonly email_key: string }>`
    select id::text as id, email, email_key from app_user
    where deleted_at is null and octet_length(email) <> char_length(email) order by created_at, id`.unprepared
    const outdated = rows.flatMap((row) => {
      const key = emailKey(row.email)
      return key === row.email_key ? [] : [{ id: row.id, key }]
    })
    if (outdated.length === 0) return []
    const holders = yield* sql<{ readonly email_key: string }>`
    select email_key from app_user
    where deleted_at is null and email_key in ${sql.in(outdated.map(({ key }) => key))}`.unprepared
    const taken = new Set(holders.map(({ email_key }) => email_key))
    return outdated.map(({ id, key }) => {
      const isTaken = taken.has(key)
      taken.add(key)
      return { id, key, isTaken }
    })
  }
)

/** Checks that no two users have the same e-mail address, and that each user has the e-mail key of this version. */
export const checkEmails: Check = Effect.map(readOutdatedKeys, (outdated) =>
  [
    {
      invariant: "No two users have the same e-mail address (DOC-08)",
      users: outdated.filter(({ isTaken }) => isTaken)
    },
    { invariant: "Every user has the key of its e-mail address", users: outdated.filter(({ isTaken }) => !isTaken) }
  ].flatMap(({ invariant, users }) =>
    users.length === 0
      ? []
      : [{ invariant, count: users.length, examples: users.slice(0, maxExamples).map(({ id }) => id) }]
  ))

/**
 * Updates the outdated e-mail keys, and returns the number of changed users. If two users would get the same key, skips
 * the second one, who can still sign in with the address as stored.
 */
export const repairEmails: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const free = (yield* readOutdatedKeys).filter(({ isTaken }) => !isTaken)
  for (const { id, key } of free) {
    yield* sql`update app_user set email_key = ${key}, email_alias = null where id = ${id}`
  }
  return free.length
})
