import { type SigningKey, SigningKeyRepository } from "@lastro/domain/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"

interface Row {
  readonly kid: string
  readonly private_jwk: string
  readonly created_at: Date
  readonly retired_at: Date | null
}

const keyOf = (row: Row): SigningKey => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  retired_at: toNullableTimestamp(row.retired_at)
})

export const layer: Layer.Layer<SigningKeyRepository, never, SqlClient.SqlClient> = Layer.effect(
  SigningKeyRepository,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SigningKeyRepository.of({
      all: Effect.map(
        orDie(
          sql<Row>`select kid, private_jwk, created_at, retired_at from signing_key order by created_at, kid`
        ),
        (rows) => rows.map(keyOf)
      ).pipe(Effect.withSpan("SigningKeyRepository.all")),
      lock: Effect.asVoid(orDie(locks(sql).exclusive("signingKeys", "insert"))),
      insert: (key, { onlyIfEmpty }) =>
        Effect.asVoid(orDie(sql.withTransaction(Effect.gen(function*() {
          yield* locks(sql).exclusive("signingKeys", "insert")
          yield* sql`
            insert into signing_key (kid, private_jwk, created_at, retired_at)
            select ${key.kid}, ${key.private_jwk}, ${key.created_at}::timestamptz, ${key.retired_at}::timestamptz
            where not (${onlyIfEmpty} and exists (select from signing_key))`
        })))),
      retire: (kid, at) =>
        Effect.asVoid(orDie(sql`
          update signing_key set retired_at = ${at} where kid = ${kid} and retired_at is null`)),
      remove: (kid) => Effect.asVoid(orDie(sql`delete from signing_key where kid = ${kid}`))
    }))
)
