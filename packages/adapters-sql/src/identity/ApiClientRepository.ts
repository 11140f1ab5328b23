import { groupBySlug } from "@lastro/domain/access"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import {
  type ApiClient,
  ApiClientRepository,
  type ClientFilters,
  ClientIdTaken,
  type ClientSortField,
  passwordClientId
} from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { Array as Arr, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { locationOfOwner, subtreeOf } from "../hierarchy/subtree.ts"
import { likePattern } from "../paging/appliedFilters.ts"
import { exportRows } from "../paging/exportRows.ts"
import { readSmallPage, smallOrder } from "../paging/smallPages.ts"

interface Row extends Omit<ApiClient, "created_at" | "revoked_at"> {
  readonly created_at: Date
  readonly revoked_at: Date | null
}

const clientOf = ({ client_id, created_at, group_id, name, partner_id, revoked_at }: Row): ApiClient => ({
  client_id,
  name,
  partner_id,
  group_id,
  created_at: toTimestamp(created_at),
  revoked_at: toNullableTimestamp(revoked_at)
})

/** Earlier versions created clients without a name. The name is then the `client_id`, which is ASCII. */
const columns = "item.client_id, coalesce(item.name, item.client_id) as name, item.partner_id, item.group_id, " +
  "item.created_at, item.revoked_at"

const sorted = {
  sorts: { created_at: "created_at", name: "name_folded" },
  id: "client_id",
  toItem: clientOf
} as const

const nameFolded = "coalesce(item.name_folded, lower(item.client_id)) collate \"C\""

/** Maximum number of ended sessions that each insert deletes. */
const purgeBatchSize = 10

export const layer: Layer.Layer<ApiClientRepository, never, SqlClient.SqlClient> = Layer.effect(
  ApiClientRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = sql`select ${sql.literal(columns)} from api_client item`
    const selectById = precompileRead(sql, { id: "text" }, ({ id }) => sql<Row>`${select} where client_id = ${id}`)
    const folded = sql.literal(nameFolded)
    const fromMatching = (scope: SubtreeScope, { group, name, partner_id, status }: ClientFilters) =>
      sql`from api_client item join partner owner on owner.id = item.partner_id where ${
        sql.and([
          sql`owner.deleted_at is null`,
          subtreeOf(sql, scope).contains(locationOfOwner(sql)),
          ...(name === undefined ? [] : [sql`${folded} like ${likePattern(name)}`]),
          ...(partner_id === undefined ? [] : [sql`item.partner_id = ${partner_id}`]),
          ...(group === undefined ? [] : [sql`item.group_id = ${groupBySlug(group).group_id}`]),
          ...(status === undefined ? [] : [sql`(item.revoked_at is null) = ${status === "ACTIVE"}`])
        ])
      }`
    return ApiClientRepository.of({
      list: (scope, { filters, ...query }, budget = Number.POSITIVE_INFINITY) =>
        readSmallPage<Row, ApiClient, ClientSortField>(
          sql,
          { columns: `${columns}, ${nameFolded} as name_folded`, from: fromMatching(scope, filters), ...sorted },
          query,
          budget
        ),
      exportAll: (scope, { filters, sort }) =>
        Stream.map(
          exportRows<Row>(
            sql,
            Effect.succeed(sql`
              select * from (select ${sql.literal(columns)}, ${folded} as name_folded ${
              fromMatching(scope, filters)
            }) item
              order by ${smallOrder(sql, sorted, sort)}`)
          ),
          clientOf
        ),
      listAll: Effect.map(
        orDie(sql<Row>`${select} order by item.created_at, item.client_id`),
        (rows) => rows.map(clientOf)
      ).pipe(Effect.withSpan("ApiClientRepository.listAll")),
      find: (client_id) =>
        Effect.map(
          orDie(selectById({ id: client_id })),
          (rows) => Option.map(Arr.head(rows), clientOf)
        ),
      findForUpdate: (client_id) =>
        Effect.map(
          orDie(sql<Row>`${select} where client_id = ${client_id} for update`),
          (rows) => Option.map(Arr.head(rows), clientOf)
        ),
      insert: Effect.fnUntraced(function*(client, secret_hash) {
        if (client.client_id === passwordClientId) return yield* new ClientIdTaken()
        const rows = yield* orDie(sql`
          insert into api_client ${sql.insert({ ...client, name_folded: foldText(client.name), secret_hash })}
          on conflict (client_id) do nothing returning client_id`)
        if (rows.length === 0) return yield* new ClientIdTaken()
      }),
      setSecret: (client_id, secret, previous_valid_until = null) =>
        Effect.asVoid(orDie(sql`
          update api_client set
            secret_hash = ${secret}, credentials_version = credentials_version + 1,
            previous_secret_hash = case when ${previous_valid_until !== null}::boolean then secret_hash end,
            previous_version = case when ${previous_valid_until !== null}::boolean then credentials_version end,
            previous_valid_until = ${previous_valid_until}
          where client_id = ${client_id}`)),
      replaceHash: (client_id, verified, hash) =>
        Effect.asVoid(orDie(sql`
          update api_client set secret_hash = ${hash} where client_id = ${client_id} and secret_hash = ${verified}`)),
      endSession: (session, at, forgotten_at) =>
        Effect.asVoid(orDie(sql`
          with purged as (
            delete from ended_session where session in (
              select session from ended_session where ends_at < ${at}
              order by ends_at limit ${purgeBatchSize} for update skip locked
            )
          )
          insert into ended_session ${sql.insert({ session, ends_at: forgotten_at })}
          on conflict (session) do nothing`)),
      revoke: (client_id, at) =>
        Effect.asVoid(orDie(sql`
          update api_client set revoked_at = ${at} where client_id = ${client_id} and revoked_at is null`))
    })
  })
)
