import { CursorSeal } from "@lastro/domain/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { hkdfSync } from "node:crypto"
import { decrypt, encrypt } from "../database/encryption.ts"
import { installationKey } from "../database/Installation.ts"

/** Derives the key for cursors from the key of the installation with HKDF-SHA-256 (RFC 5869). */
const deriveKey = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, new Uint8Array(), "lastro list cursor v1", 32))

/** Encrypts cursors. The context is the additional authenticated data. */
export const layer: Layer.Layer<CursorSeal, never, SqlClient.SqlClient> = Layer.effect(
  CursorSeal,
  Effect.map(SqlClient.SqlClient, (sql) => {
    let derived: Buffer | undefined
    const key = Effect.suspend(() =>
      derived === undefined
        ? Effect.map(installationKey(sql), (secret) => derived = deriveKey(secret))
        : Effect.succeed(derived)
    )
    return CursorSeal.of({
      seal: (text, context) => Effect.map(key, (key) => encrypt(key, text, context).toString("base64url")),
      open: (sealed, context) =>
        Effect.map(key, (key) => {
          const bytes = Buffer.from(sealed, "base64url")
          // Buffer ignores characters outside base64url. Without this check, two texts could decode to the same bytes.
          if (bytes.toString("base64url") !== sealed) return Option.none()
          try {
            return Option.some(decrypt(key, bytes, context))
          } catch {
            return Option.none()
          }
        })
    })
  })
)
