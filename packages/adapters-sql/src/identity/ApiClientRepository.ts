import { type ApiClient, ApiClientRepository, ClientIdTaken, passwordClientId } from "@lastro/domain/identity"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"

interface Row extends Omit<ApiClient, "created_at" | "revoked_at"> {
  readonly created_at: Date
  readonly revoked_at: Date | null
}

const clientOf = (row: Row): ApiClient => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  revoked_at: toNullableTimestamp(row.revoked_at)
})

/** Maximum number of forgotten sessions that each insert deletes. */
const purgeBatchSize = 10

/** Stores API clients in PostgreSQL. */
export const layer: Layer.Layer<ApiClientRepository, never, SqlClient.SqlClient> = Layer.effect(
  ApiClientRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = sql`select client_id, partner_id, group_id, created_at, revoked_at from api_client`
    return ApiClientRepository.of({
      list: Effect.map(
        orDie(sql<Row>`${select} order by created_at, client_id`),
        (rows) => rows.map(clientOf)
      ).pipe(Effect.withSpan("ApiClientRepository.list")),
      find: (client_id) =>
        Effect.map(
          orDie(sql<Row>`${select} where client_id = ${client_id}`),
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
          insert into api_client ${sql.insert({ ...client, secret_hash })}
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
