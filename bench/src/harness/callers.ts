import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { layerPasswordHasher } from "@lastro/adapters-http/security"
import { groups } from "@lastro/domain/access"
import { PasswordHasher } from "@lastro/domain/identity"
import { seed, type SeedOptions, vacuum } from "@lastro/seed"
import { Effect, Redacted } from "effect"
import { type SqlClient } from "effect/sql"
import { join } from "node:path"
import { DatabaseUrl } from "./database.ts"
import { type Program, startProgram } from "./processes.ts"

/** The password of all generated users. */
export const password = "a password for measuring"

/** The main file of the server, which also runs commands. */
export const main = join(import.meta.dirname, "../../../apps/server/src/main.ts")

/**
 * Returns the program of a node on a database. The issuer of tokens must be the same on all nodes. Default: the URL of
 * the node.
 */
export const nodeOn = (DATABASE_URL: string, issuer?: string): Program => ({
  name: "Lastro",
  args: ["--max-semi-space-size=8", "--max-old-space-size=256", main, "serve"],
  env: (port) => ({
    NODE_ENV: "production",
    DATABASE_URL,
    PORT: String(port),
    LASTRO_ISSUER: issuer ?? `http://127.0.0.1:${port}`,
    LASTRO_LENDER: "sandbox",
    LASTRO_RATE_LIMIT: "off"
  }),
  ready: "/health/ready"
})

/**
 * Generates data in the database of the benchmark. Then starts Lastro on it with the operator's command, but without
 * rate limits.
 */
export const seededLastro = Effect.fnUntraced(
  function*(size: Omit<SeedOptions, "passwordHash">) {
    const DATABASE_URL = yield* DatabaseUrl
    const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
    yield* seed({ ...size, passwordHash })
    yield* vacuum()
    const lastro = yield* startProgram(nodeOn(DATABASE_URL))
    return { passwordHash, url: DATABASE_URL, lastro }
  },
  Effect.provide(layerPasswordHasher()),
  Effect.provide(NodeCrypto.layer)
)

/** An administrator, with the administrator's partner. */
export interface ListingUser {
  readonly email: string
  readonly partner_id: string
}

/** The share of all users in the subtree of each caller. */
const shares = [1, 0.1, 0.01, 0.001, 0.0001]

const administrators = groups.filter(({ permissions }) => permissions.includes("partners:write"))
  .map(({ group_id }) => group_id)

/** Returns a condition: the partner in a column and all of its ancestors are active. */
export const activeAncestors = (sql: SqlClient.SqlClient, partner: string) =>
  sql`not exists (
    with recursive above as (
      select id, parent_id, status from partner where id = ${sql.literal(partner)}
      union all
      select partner.id, partner.parent_id, partner.status from partner join above on partner.id = above.parent_id
    )
    select from above where status <> 'active'
  )`

/** Finds one administrator for each of the `shares`. They are active and need not change their password. */
export const listingUsers = Effect.fn("listingUsers")(function*(sql: SqlClient.SqlClient) {
  const found: Array<ListingUser> = []
  for (const share of shares) {
    const [user] = yield* sql<ListingUser>`
      select person.email, one.partner_id
      from subtree_count one
        join lateral (
          select email from app_user
          where partner_id = one.partner_id and status = 'ACTIVE' and not must_change_password
            and deleted_at is null and ${sql.in("group_id", administrators)}
          order by id limit 1
        ) person on true,
        (select max(users) as users from subtree_count) whole
      where one.users > 0 and ${activeAncestors(sql, "one.partner_id")}
      order by abs(ln(one.users / (${share}::float8 * whole.users))), one.partner_id limit 1`
    if (user !== undefined) found.push(user)
  }
  return found
})

/** Requests a token with the parameters of a grant. Returns the access token. */
export const requestToken = (server: string, grant: Readonly<Record<string, string>>): Effect.Effect<string> =>
  Effect.promise(async () => {
    const answer = await fetch(`${server}/api/v1/oauth/token`, { method: "POST", body: new URLSearchParams(grant) })
    const body = await answer.json() as { readonly access_token?: string }
    if (body.access_token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`)
    return body.access_token
  })

export const signIn = (server: string, email: string): Effect.Effect<string> =>
  requestToken(server, { grant_type: "password", username: email, password })
