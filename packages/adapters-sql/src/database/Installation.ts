import { Installation } from "@lastro/domain/operator"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "./DatabaseFailure.ts"
import { locks } from "./locks.ts"

export const layer: Layer.Layer<Installation, never, SqlClient.SqlClient> = Layer.effect(
  Installation,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Installation.of({
      isEmpty: orDie(sql.withTransaction(Effect.gen(function*() {
        const [previous] = yield* sql<{ readonly lock: string; readonly statement: string }>`
          select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`
        const setTimeouts = (lock: string, statement: string) =>
          sql`select set_config('lock_timeout', ${lock}, true), set_config('statement_timeout', ${statement}, true)`
        // Another node may be filling the database. Wait for it without a timeout.
        yield* setTimeouts("0", "0")
        yield* locks(sql).exclusive("installation", "partner")
        yield* setTimeouts(previous?.lock ?? "0", previous?.statement ?? "0")
        // A separate statement: its snapshot must be taken after the lock was acquired.
        const [row] = yield* sql<{ readonly empty: boolean }>`
          select not exists (select from partner) as empty`
        return row?.empty ?? false
      })))
    }))
)

/**
 * Reads the secret key of the installation once per node. A migration stored the key in the database, so all nodes have
 * the same key.
 */
export const installationKey = (sql: SqlClient.SqlClient): Effect.Effect<Uint8Array> => {
  let key: Uint8Array | undefined
  const read = Effect.flatMap(
    orDie(sql<{ readonly key: Uint8Array }>`select key from personal_data_key`),
    ([row]) => {
      key = row?.key
      return key === undefined
        ? Effect.die(new Error("The table personal_data_key has no row; restore it from a backup"))
        : Effect.succeed(key)
    }
  )
  return Effect.suspend(() => key === undefined ? read : Effect.succeed(key))
}
