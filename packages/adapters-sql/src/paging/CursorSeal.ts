import { CursorSeal } from "@lastro/domain/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { installationKey } from "../database/Installation.ts"

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
const minLength = nonceLength + tagLength

const additionalData = (context: string) => Buffer.from(context, "utf8")

/** Derives the key for cursors from the key of the installation with HKDF-SHA-256 (RFC 5869). */
const deriveKey = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, new Uint8Array(), "lastro list cursor v1", 32))

/**
 * Encrypts cursors with AES-256-GCM (NIST SP 800-38D) and a random nonce. The context is the additional authenticated
 * data. A cursor consists of the nonce, the tag and the ciphertext.
 */
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
      seal: (text, context) =>
        Effect.map(key, (key) => {
          const nonce = randomBytes(nonceLength)
          const cipher = createCipheriv(algorithm, key, nonce).setAAD(additionalData(context))
          const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
          return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64url")
        }),
      open: (sealed, context) =>
        Effect.map(key, (key) => {
          const bytes = Buffer.from(sealed, "base64url")
          // Buffer ignores characters outside base64url. Without this check, two texts could decode to the same bytes.
          if (bytes.length < minLength || bytes.toString("base64url") !== sealed) return Option.none()
          const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), {
            authTagLength: tagLength
          })
            .setAAD(additionalData(context))
            .setAuthTag(bytes.subarray(nonceLength, minLength))
          try {
            const text = Buffer.concat([decipher.update(bytes.subarray(minLength)), decipher.final()]).toString("utf8")
            return Option.some(text)
          } catch {
            return Option.none()
          }
        })
    })
  })
)
