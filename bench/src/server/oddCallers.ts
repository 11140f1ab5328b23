import { groupBySlug, type GroupSlug } from "@lastro/domain/access"
import { type PasswordHash, storeClientSecret } from "@lastro/domain/identity"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { password, requestToken, signIn } from "./callers.ts"
import { type Bench } from "./setUp.ts"

const clientId = "bench"

/** Creates an API client of a partner and returns its token. */
const clientToken = Effect.fn("clientToken")(function*(server: string, partner_id: string, hash: PasswordHash) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into api_client ${
    sql.insert({
      client_id: clientId,
      partner_id,
      group_id: groupBySlug("admin").group_id,
      secret_hash: storeClientSecret({ origin: "unknown", hash }),
      created_at: new Date()
    })
  }`
  return yield* requestToken(server, {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: password
  })
})

/** A change of a caller's stored state after the caller has signed in. */
interface Change {
  readonly name: string
  /** The columns to change, with their new values. */
  readonly set: Readonly<Record<string, unknown>>
}

const inGroup = (slug: GroupSlug): Change => ({ name: slug, set: { group_id: groupBySlug(slug).group_id } })

const changes: ReadonlyArray<Change> = [
  inGroup("viewer"),
  inGroup("operator"),
  { name: "password changed", set: { credentials_version: 7 } },
  { name: "inactive", set: { status: "INACTIVE" } },
  { name: "must change the password", set: { must_change_password: true } }
]

/**
 * Creates tokens that a server must reject for some or all operations, because the state of their callers has changed.
 * Also creates a token of an API client.
 */
export const oddTokens = Effect.fn("oddTokens")(function*({ callers, lastro, passwordHash }: Bench) {
  const sql = yield* SqlClient.SqlClient
  const [root, middle] = callers
  if (root === undefined || middle === undefined) return yield* Effect.die(new Error("There are too few callers"))
  const users = yield* sql<{ readonly id: string; readonly email: string }>`
    select id, email from app_user
    where root_id = ${root.partner_id} and status = 'ACTIVE' and not must_change_password and deleted_at is null
      and partner_id in (select partner_id from subtree_count where partners = 1)
      and not exists (
        with recursive above as (
          select id, parent_id, status from partner where id = app_user.partner_id
          union all
          select partner.id, partner.parent_id, partner.status from partner join above on partner.id = above.parent_id
        )
        select from above where status <> 'active'
      )
      and not ${sql.in("partner_id", callers.map(({ partner_id }) => partner_id))}
    order by md5(id::text) limit ${changes.length + 1}`
  const tokens = [
    yield* clientToken(lastro.url, middle.partner_id, passwordHash),
    yield* requestToken(lastro.url, {
      grant_type: "password",
      username: root.email,
      password,
      scope: "partners:read fgts:read"
    })
  ]
  for (const [index, { id, ...user }] of users.entries()) {
    tokens.push(yield* signIn(lastro.url, user))
    const change = changes[index]
    if (change === undefined) {
      yield* sql`update partner set status = 'inactive' where id = (select partner_id from app_user where id = ${id})`
    } else yield* sql`update app_user set ${sql.update(change.set)} where id = ${id}`
  }
  return tokens
})
