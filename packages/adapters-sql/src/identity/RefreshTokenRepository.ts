import { type RefreshToken, refreshTokenDays, RefreshTokenRepository } from "@lastro/domain/identity"
import { addMillis, type Timestamp, type UserId } from "@lastro/domain/values"
import { Array as Arr, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { sha256, toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"

/** Maximum number of expired rows that each insert deletes. */
const purgeBatchSize = 10

/** Rows are kept for twice the lifetime of a token. After that, the token and its successors have expired. */
const retentionMs = 2 * refreshTokenDays * 86_400_000

interface Row extends Omit<RefreshToken, "issued_at" | "spent_at" | "revoked_at"> {
  readonly issued_at: Date
  readonly spent_at: Date | null
  readonly revoked_at: Date | null
}

const tokenOf = (row: Row): RefreshToken => ({
  ...row,
  issued_at: toTimestamp(row.issued_at),
  spent_at: toNullableTimestamp(row.spent_at),
  revoked_at: toNullableTimestamp(row.revoked_at)
})

const hashOf = (token: Redacted.Redacted): Uint8Array => sha256(Redacted.value(token))

/**
 * Revokes all live tokens that meet a condition. A concurrent exchange may insert a successor that the statement does
 * not see. So the statement is repeated until no live token is left. Revoked rows stay locked, so no further exchange
 * can begin.
 */
const revokeAll = (sql: SqlClient.SqlClient, condition: Fragment, at: Timestamp): Effect.Effect<void> =>
  Effect.flatMap(
    orDie(sql`
      update refresh_token set revoked_at = ${at} where ${condition} and revoked_at is null returning family_id`),
    (revoked) => revoked.length === 0 ? Effect.void : revokeAll(sql, condition, at)
  )

/** Stores refresh tokens as SHA-256 hashes. Tokens are random, so no slow hash is needed. */
export const layer: Layer.Layer<RefreshTokenRepository, never, SqlClient.SqlClient> = Layer.effect(
  RefreshTokenRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    // Every change of a user locks the user's row before it revokes tokens, as here.
    const lockUser = (user_id: UserId) =>
      Effect.asVoid(orDie(sql`select from app_user where id = ${user_id} for no key update`))
    return RefreshTokenRepository.of({
      insert: (token, record) =>
        Effect.asVoid(orDie(sql`
          with purged as (
            delete from refresh_token where token_hash in (
              select token_hash from refresh_token where issued_at < ${addMillis(record.issued_at, -retentionMs)}
              order by issued_at limit ${purgeBatchSize} for update skip locked
            )
          )
          insert into refresh_token ${sql.insert({ token_hash: hashOf(token), ...record })}`)),
      findForUpdate: (token) =>
        Effect.map(
          orDie(sql<Row>`
            select family_id, user_id, scope, issued_at, credentials_version, spent_at, spent_by, revoked_at
            from refresh_token where token_hash = ${hashOf(token)} for update`),
          (rows) => Option.map(Arr.head(rows), tokenOf)
        ),
      spend: (token, at, client) =>
        Effect.asVoid(orDie(sql`
          update refresh_token set spent_at = ${at}, spent_by = ${client} where token_hash = ${hashOf(token)}`)),
      revokeFamily: (family_id, at) => revokeAll(sql, sql`family_id = ${family_id}`, at),
      lockUser,
      revokeUser: (user_id, at) => Effect.andThen(lockUser(user_id), revokeAll(sql, sql`user_id = ${user_id}`, at))
    })
  })
)
