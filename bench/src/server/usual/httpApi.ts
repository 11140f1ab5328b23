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
import { type Facts, type Quote, statusFrom } from "../peer/applicationStatus.ts"
import { fold } from "../peer/listings.ts"
import { pageEnd, pageOf, type Query } from "../peer/pages.ts"
import { patched } from "../peer/partnerPatch.ts"
import { type Partner } from "../peer/partners.ts"
import { changedFields, mask, uuidv7 } from "../peer/patchPartner.ts"
import { config } from "../peer/setUp.ts"
import {
  Api,
  Authorization,
  type Caller,
  CurrentCaller,
  Forbidden,
  NotFound,
  type PartnerBody,
  type PartnerItem,
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
        const { partner_id } = user
        const permissions = new Set(groups.get(user.group_id)?.permissions)
        return yield* Effect.provideService(handler, CurrentCaller, {
          user_id: payload.sub ?? "",
          partner_id,
          permissions
        })
      })
    }))
)

const callerWith = Effect.fn(function*(permission: string) {
  const caller = yield* CurrentCaller
  return caller.permissions.has(permission) ? caller : yield* new Forbidden()
})

/** Returns a partner in the form of the API, without empty metadata. */
const shown = ({ metadata = {}, ...partner }: typeof PartnerBody.Type): typeof PartnerBody.Type =>
  Object.keys(metadata).length === 0 ? partner : { ...partner, metadata }

const json = (value: unknown) => value === null ? null : JSON.stringify(value)

const layerRecords = HttpApiBuilder.group(
  Api,
  "records",
  Effect.fn(function*(handlers) {
    const sql = yield* SqlClient.SqlClient

    const isInside = Effect.fn(function*(top: string, partner: string) {
      const found = yield* sql`
        with recursive above as (
          select id, parent_id from partner where id = ${partner}
          union all
          select item.id, item.parent_id from partner item join above on item.id = above.parent_id
        )
        select id from above where id = ${top}`
      return found.length > 0
    })

    /** The condition that a record belongs to a subtree. */
    const within = (top: string, owner: string) =>
      sql`(
        item.region_id in (select region_id from subtree_region where top_id = ${top})
        or ${sql(`item.${owner}`)} in (select partner_id from subtree_partner where top_id = ${top})
      )`

    const findPartner = Effect.fn(function*(caller: Caller, id: string, isLocked: boolean) {
      const [found] = yield* sql<typeof PartnerBody.Type & { readonly metadata: object }>`
        select id as partner_id, name, status, email, phone, pix, address, document_number, person_type, created_at,
          parent_id, bank_account, metadata
        from partner where id = ${id} and deleted_at is null ${isLocked ? sql`for no key update` : sql``}`
      if (found === undefined) return yield* new NotFound()
      return (yield* isInside(caller.partner_id, id)) ? found : yield* new Forbidden()
    })

    /** Reads a page of a table, and counts all of its matches. */
    const list = Effect.fn(function*<Row extends object>(
      permission: string,
      query: Query,
      { columns, owner, present = "true", sorts, table }: {
        readonly table: string
        readonly owner: string
        readonly columns: string
        readonly present?: string
        readonly sorts: Readonly<Record<string, string>>
      }
    ) {
      const caller = yield* callerWith(permission)
      const page = pageOf(query, sorts)
      const name = query["full_name"]
      const filter = typeof name === "string" ? sql`and item.name_folded like ${`%${fold(name)}%`}` : sql``
      const order = [
        ...page.sort.map(({ direction, property }) =>
          `item.${sorts[property === "full_name" ? "name" : property] ?? "created_at"} ${direction}`
        ),
        `item.id ${page.sort.at(-1)?.direction ?? "asc"}`
      ].join(", ")
      const where = sql`where ${within(caller.partner_id, owner)} and ${sql.literal(present)} ${filter}`
      const rows = yield* sql<Row>`
        select ${sql.literal(columns)} from ${sql(table)} item ${where}
        order by ${sql.literal(order)} limit ${page.size} offset ${page.number * page.size}`
      const [count] = yield* sql<{ readonly count: number }>`
        select count(*)::int as count from ${sql(table)} item ${where}`
      return { rows, ...pageEnd(page, count?.count ?? 0) }
    })

    return handlers.handleAll({
      partner: Effect.fn(function*({ params: { id } }) {
        const caller = yield* callerWith("partners:read")
        return { data: shown(yield* findPartner(caller, id, false)) }
      }, Effect.catchTag("SqlError", Effect.die)),
      patchPartner: Effect.fn(function*({ params: { id }, payload }) {
        const caller = yield* callerWith("partners:write")
        const changing = Effect.gen(function*() {
          const found = yield* findPartner(caller, id, true)
          const before = { ...found, created_at: found.created_at.toISOString() } as unknown as Partner
          const after = patched(before, payload)
          const { address, bank_account, email, name, phone, pix } = after
          const changed = changedFields({ ...before }, { ...after })
          if (changed.length > 0) {
            yield* sql`
              update partner set ${
              sql.update({
                name,
                name_folded: fold(name),
                email,
                email_folded: fold(email),
                phone,
                pix: json(pix),
                address: json(address),
                bank_account: json(bank_account)
              })
            } where id = ${id}`
            yield* sql`
              insert into audit (id, at, actor, action, subject_id, partner_id, before, after, changed, request_id)
              values (${uuidv7()}, ${new Date()}, ${caller.user_id}, 'partner.update', ${id}, ${id},
                ${json(mask(before))}, ${json(mask(after))}, ${changed}, ${uuidv7()})`
          }
          return { ...after, created_at: found.created_at } as unknown as typeof PartnerBody.Type
        })
        return { data: shown(yield* sql.withTransaction(changing)) }
      }, Effect.catchTag("SqlError", Effect.die)),
      partners: Effect.fn(function*({ query }) {
        const { rows, ...end } = yield* list<typeof PartnerItem.Type>("partners:read", query, {
          table: "partner",
          owner: "id",
          present: "item.deleted_at is null",
          columns:
            "id as partner_id, name, status, email, phone, document_number, person_type, parent_id, created_at, " +
            "metadata",
          sorts: { created_at: "created_at", name: "name_folded" }
        })
        return { content: rows, ...end }
      }, Effect.catchTag("SqlError", Effect.die)),
      users: Effect.fn(function*({ query }) {
        const { rows, ...end } = yield* list<typeof UserItem.Type & { readonly group_id: string }>(
          "users:read",
          query,
          {
            table: "app_user",
            owner: "partner_id",
            present: "item.deleted_at is null",
            columns: "id as user_id, name, email, phone, cpf, status, group_id, must_change_password, created_at, " +
              "partner_id, metadata",
            sorts: { created_at: "created_at", name: "name_folded" }
          }
        )
        const content = rows.map(({ group_id, ...row }) => ({
          ...row,
          group: groups.get(group_id) ?? { group_id, slug: "", label: "" }
        }))
        return { content, ...end }
      }, Effect.catchTag("SqlError", Effect.die)),
      proposals: Effect.fn(function*({ query }) {
        const { rows, ...end } = yield* list<{ readonly list_item: Readonly<Record<string, unknown>> }>(
          "proposals:read",
          query,
          { table: "proposal", owner: "partner_id", columns: "list_item", sorts: { created_at: "created_at" } }
        )
        return { content: rows.map(({ list_item }) => list_item), ...end }
      }, Effect.catchTag("SqlError", Effect.die)),
      status: Effect.fn(function*({ params: { id } }) {
        const caller = yield* callerWith("fgts:read")
        const [found] = yield* sql<
          Omit<Facts, "quotes" | "updated_at"> & {
            readonly partner_id: string
            readonly updated_at: Date
          }
        >`
          select item.partner_id, item.kyc, item.version, item.updated_at, item.cancellation is not null as is_cancelled,
            proposal.id as proposal_id, proposal.status as proposal_status,
            proposal.facts->>'signature_url' as signature_url
          from application item left join proposal on proposal.application_id = item.id where item.id = ${id}`
        if (found === undefined) return yield* new NotFound()
        if (!(yield* isInside(caller.partner_id, found.partner_id))) return yield* new Forbidden()
        const quotes = yield* sql<{ readonly facts: Quote }>`
          select facts from quote where application_id = ${id} order by number`
        const updated_at = found.updated_at.toISOString()
        return statusFrom(id, { ...found, updated_at, quotes: quotes.map(({ facts }) => facts) })
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
