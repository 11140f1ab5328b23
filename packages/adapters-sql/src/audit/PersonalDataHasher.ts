import { PersonalDataHasher } from "@lastro/domain/audit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { orDie } from "../database/DatabaseFailure.ts"

/**
 * Hashes with HMAC-SHA-256 (RFC 2104). The key was stored in the database by a migration, so every node uses the same
 * key. A node reads it once.
 */
export const layer: Layer.Layer<PersonalDataHasher, never, SqlClient.SqlClient> = Layer.effect(
  PersonalDataHasher,
  Effect.map(SqlClient.SqlClient, (sql) => {
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
    return PersonalDataHasher.of({
      hash: (text) =>
        Effect.map(
          known === undefined ? read : Effect.succeed(known),
          (key) => createHmac("sha256", key).update(text).digest("base64url")
        )
    })
  })
)
