import { PersonalDataHasher } from "@lastro/domain/audit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { installationKey } from "../database/Installation.ts"

/** Hashes with HMAC-SHA-256 (RFC 2104). */
export const layer: Layer.Layer<PersonalDataHasher, never, SqlClient.SqlClient> = Layer.effect(
  PersonalDataHasher,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const key = installationKey(sql)
    return PersonalDataHasher.of({
      hash: (text) => Effect.map(key, (key) => createHmac("sha256", key).update(text).digest("base64url"))
    })
  })
)
