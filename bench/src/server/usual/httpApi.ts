// The operations of the benchmark, written as in Effect's documentation of APIs: `HttpApi` with `@effect/sql-pg`.
// Nothing is tuned: each request verifies its token, reads its caller and its records one after another, and counts all
// matches.
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { createLocalJWKSet, jwtVerify } from "jose"
import { createServer } from "node:http"
import { pageEnd, pageOf } from "../peer/pages.ts"
import { config } from "../peer/setUp.ts"
import {
  Api,
  Authorization,
  CurrentCaller,
  Forbidden,
  NotFound,
  type PartnerBody,
  Unauthorized,
  type UserItem
} from "./httpApiContract.ts"

const groups = new Map(config.groups.map((group) => [group.group_id, group]))
const keys = createLocalJWKSet(config.keys)

const layerAuthorization = Layer.effect(
  Authorization,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Authorization.of({
      bearer: Effect.fn(function*(handler, { credential }) {
        const options = { issuer: config.issuer, audience: config.issuer, algorithms: ["ES256"] }
        const { payload } = yield* Effect.tryPromise({
          try: () => jwtVerify(Redacted.value(credential), keys, options),
          catch: () => new Unauthorized()
        })
        const [user] = yield* Effect.orDie(
          sql<{ readonly group_id: string; readonly partner_id: string; readonly credentials_version: number }>`
            select group_id, partner_id, credentials_version from app_user
            where id = ${payload.sub} and status = 'ACTIVE' and deleted_at is null`
        )
        if (
          user === undefined || user.credentials_version !== payload["credentials_version"]
        ) return yield* new Unauthorized()
        const inactive = yield* Effect.orDie(sql`
          with recursive above as (
            select parent_id, status from partner where id = ${user.partner_id}
            union all
            select item.parent_id, item.status from partner item join above on item.id = above.parent_id
          )
          select status from above where status <> 'active'`)
        if (inactive.length > 0) return yield* new Unauthorized()
        return yield* Effect.provideService(handler, CurrentCaller, {
          partner_id: user.partner_id,
          permissions: new Set(groups.get(user.group_id)?.permissions)
        })
      })
    }))
)

const callerWith = Effect.fn(function*(permission: string) {
  const caller = yield* CurrentCaller
  return caller.permissions.has(permission) ? caller : yield* new Forbidden()
})

/** The column to sort by for each property. */
const sorts: Readonly<Record<string, string>> = { created_at: "created_at", name: "name_folded" }

const layerRecords = HttpApiBuilder.group(
  Api,
  "records",
  Effect.fn(function*(handlers) {
    const sql = yield* SqlClient.SqlClient

    return handlers.handleAll({
      partner: Effect.fn(function*({ params: { id } }) {
        const caller = yield* callerWith("partners:read")
        const [found] = yield* sql<typeof PartnerBody.Type>`
          select id as partner_id, name, status, email, phone, pix, address, document_number, person_type, created_at,
            parent_id, bank_account, metadata
          from partner where id = ${id} and deleted_at is null`
        if (found === undefined) return yield* new NotFound()
        const inside = yield* sql`
          with recursive above as (
            select id, parent_id from partner where id = ${id}
            union all
            select item.id, item.parent_id from partner item join above on item.id = above.parent_id
          )
          select id from above where id = ${caller.partner_id}`
        if (inside.length === 0) return yield* new Forbidden()
        const { metadata = {}, ...partner } = found
        return { data: Object.keys(metadata).length === 0 ? partner : { ...partner, metadata } }
      }, Effect.catchTag("SqlError", Effect.die)),
      users: Effect.fn(function*({ query }) {
        const { partner_id: top } = yield* callerWith("users:read")
        const page = pageOf(query, sorts)
        const order = [
          ...page.sort.map(({ direction, property }) =>
            `item.${sorts[property === "full_name" ? "name" : property] ?? "created_at"} ${direction}`
          ),
          `item.id ${page.sort.at(-1)?.direction ?? "asc"}`
        ].join(", ")
        const where = sql`
          where item.deleted_at is null and (
            item.region_id in (select region_id from subtree_region where top_id = ${top})
            or item.partner_id in (select partner_id from subtree_partner where top_id = ${top})
          )`
        const rows = yield* sql<typeof UserItem.Type & { readonly group_id: string }>`
          select id as user_id, name, email, phone, cpf, status, group_id, must_change_password, created_at, partner_id,
            metadata
          from app_user item ${where}
          order by ${sql.literal(order)} limit ${page.size} offset ${page.number * page.size}`
        const [count] = yield* sql<
          { readonly count: number }
        >`select count(*)::int as count from app_user item ${where}`
        const content = rows.map(({ group_id, ...row }) => ({
          ...row,
          group: groups.get(group_id) ?? { group_id, slug: "", label: "" }
        }))
        return { content, ...pageEnd(page, count?.count ?? 0) }
      }, Effect.catchTag("SqlError", Effect.die))
    })
  })
)

const layerHealth = HttpApiBuilder.group(
  Api,
  "health",
  (handlers) => Effect.succeed(handlers.handleAll({ live: () => Effect.succeed({ status: "ok" }) }))
)

const routes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([layerRecords, layerHealth]),
  Layer.provide(layerAuthorization),
  Layer.provide(PgClient.layer({ url: Redacted.make(config.database), maxConnections: config.connections }))
)

HttpRouter.serve(routes).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: config.port })),
  Layer.launch,
  NodeRuntime.runMain
)
