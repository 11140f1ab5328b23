import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { orDie } from "./DatabaseFailure.ts"

/**
 * Reads the secret key of the installation once per node. A migration stored the key in the database, so all nodes have
 * the same key.
 */
export const installationKey = (sql: SqlClient.SqlClient): Effect.Effect<Uint8Array> => {
  let known: Uint8Array | undefined
  const read = Effect.flatMap(
    orDie(sql<{ readonly key: Uint8Array }>`select key from personal_data_key`),
    ([row]) => {
      known = row?.key
      return known === undefined
        ? Effect.die(new Error("The table personal_data_key has no row; restore it from a backup"))
        : Effect.succeed(known)
    }
  )
  return Effect.suspend(() => known === undefined ? read : Effect.succeed(known))
}
