import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { layerPasswordHasher } from "@lastro/adapters-http/security"
import { groups } from "@lastro/domain/access"
import { PasswordHasher } from "@lastro/domain/identity"
import { seed, type SeedOptions, vacuum } from "@lastro/seed"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { DatabaseUrl } from "./database.ts"
import { postmasterOf, type Program, startProgram } from "./processes.ts"

/** The password of all generated users. */
export const password = "a password for measuring"

/** The main file of the server, which also runs commands. */
export const main = join(import.meta.dirname, "../../../apps/server/src/main.js")

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

/** An administrator with a token, and the records that its requests use. */
export interface Caller {
  readonly email: string
  readonly partner_id: string
  readonly token: string
  /** Partners and applications in the caller's scope. */
  readonly partners: ReadonlyArray<string>
  readonly applications: ReadonlyArray<string>
  /** A partner and an application outside the caller's scope. Null for a caller of the root. */
  readonly other_partner: string | null
  readonly other_application: string | null
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

/**
 * Chooses up to 80 partners and 20 applications for a caller. Sorts them by hashes of their ids, so their order is mixed
 * but the same in each run.
 */
const recordsOf = (sql: SqlClient.SqlClient, partner_id: string) =>
  sql<Omit<Caller, "email" | "partner_id" | "token">>`
    with owner as (
      select item.id, item.deleted_at,
        item.region_id in (select region_id from subtree_region where top_id = ${partner_id})
          or item.id in (select partner_id from subtree_partner where top_id = ${partner_id}) as inside
      from partner item
    ),
    chosen as (
      select one.id, inside, row_number() over (partition by inside order by md5(one.id::text)) as place
      from application one join owner on owner.id = one.partner_id
    ),
    present as (
      select id, inside, row_number() over (partition by inside order by md5(id::text)) as place
      from owner where deleted_at is null
    )
    select array(select id from present where inside and place <= 80 order by place) as partners,
      array(select id from chosen where inside and place <= 20 order by place) as applications,
      (select id from present where not inside and place = 1) as other_partner,
      (select id from chosen where not inside and place = 1) as other_application`

/**
 * Finds an administrator of a subtree with about this share of all users, and signs it in. The administrator is active
 * and need not change the password.
 */
const findCallers = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, server: string, share: number) {
  const users = yield* sql<Pick<Caller, "email" | "partner_id">>`
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
  return yield* Effect.forEach(users, (user) =>
    Effect.gen(function*() {
      const [records] = yield* recordsOf(sql, user.partner_id)
      const caller: Caller = { ...user, ...records!, token: yield* signIn(server, user.email) }
      return caller
    }))
})

/**
 * Generates data in the database of the benchmark. Then starts Lastro on it with the operator's command, but without
 * rate limits. Signs in an administrator for each of the `shares`. The first one has the whole tree.
 */
export const seededLastro = Effect.fnUntraced(
  function*(size: Omit<SeedOptions, "passwordHash">) {
    const sql = yield* SqlClient.SqlClient
    const databaseUrl = yield* DatabaseUrl
    const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
    yield* seed({ ...size, passwordHash })
    yield* vacuum()
    const lastro = yield* startProgram(nodeOn(databaseUrl))
    const callers = (yield* Effect.forEach(shares, (share) => findCallers(sql, lastro.url, share))).flat()
    const [root] = callers
    if (root === undefined) return yield* Effect.die(new Error("There is no caller"))
    return { sql, databaseUrl, passwordHash, lastro, callers, root, postmaster: yield* postmasterOf(sql) }
  },
  Effect.provide(layerPasswordHasher()),
  Effect.provide(NodeCrypto.layer)
)
