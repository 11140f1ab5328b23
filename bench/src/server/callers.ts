import { groups } from "@lastro/domain/access"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** The password of all generated users. */
export const password = "a password for measuring"

/**
 * An administrator who lists records, the administrator's partner, and the number of users in that partner's subtree.
 */
export interface ListingUser {
  readonly scope: string
  readonly email: string
  readonly partner_id: string
  readonly users: number
}

/** Names of the callers' scopes, and the share of all users in each. */
const shares = [["root", 1], ["10 %", 0.1], ["1 %", 0.01], ["0.1 %", 0.001], ["0.01 %", 0.0001]] as const

const administrators = groups.filter(({ permissions }) => permissions.includes("partners:write"))
  .map(({ group_id }) => group_id)

/** Finds one administrator for each of the `shares`. They are active and do not have to change their password. */
export const listingUsers = Effect.fn("listingUsers")(function*(sql: SqlClient.SqlClient) {
  const found: Array<ListingUser> = []
  for (const [scope, share] of shares) {
    const [user] = yield* sql<Omit<ListingUser, "scope">>`
      select person.email, one.partner_id, one.users
      from subtree_count one
        join lateral (
          select email from app_user
          where partner_id = one.partner_id and status = 'ACTIVE' and not must_change_password
            and deleted_at is null and ${sql.in("group_id", administrators)}
          order by id limit 1
        ) person on true,
        (select max(users) as users from subtree_count) whole
      where one.users > 0 and not exists (
        with recursive above as (
          select id, parent_id, status from partner where id = one.partner_id
          union all
          select partner.id, partner.parent_id, partner.status from partner join above on partner.id = above.parent_id
        )
        select from above where status <> 'active'
      )
      order by abs(ln(one.users / (${share}::float8 * whole.users))), one.partner_id limit 1`
    if (user !== undefined) found.push({ scope, ...user })
  }
  return found
})

/** Requests a token with the parameters of a grant, and returns the access token. */
export const requestToken = (server: string, grant: Readonly<Record<string, string>>): Effect.Effect<string> =>
  Effect.promise(async () => {
    const answer = await fetch(`${server}/api/v1/oauth/token`, { method: "POST", body: new URLSearchParams(grant) })
    const body: unknown = await answer.json()
    if (typeof body === "object" && body !== null && "access_token" in body) return String(body.access_token)
    throw new Error(`No token: ${JSON.stringify(body)}`)
  })

/** Signs a user in and returns the access token. */
export const signIn = (server: string, { email }: Pick<ListingUser, "email">): Effect.Effect<string> =>
  requestToken(server, { grant_type: "password", username: email, password })
