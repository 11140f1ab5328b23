import { type IdempotencySlot, IdempotencyStore, idempotencyWindowMs } from "@lastro/domain/idempotency"
import { addMillis, type PartnerId } from "@lastro/domain/values"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { sha256, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"
import { sendAhead } from "../database/postgres/statements.ts"

/** Maximum number of expired rows that each save deletes. */
const purgeBatchSize = 10

const slotOf = ({ key, subject }: IdempotencySlot): Uint8Array => sha256(subject, key)

/** AES-256-GCM (NIST SP 800-38D). The stored bytes are the nonce (12 bytes), the tag (16 bytes) and the ciphertext. */
const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
const keyLength = 32

/** Derives the encryption key from a secret and its context with HKDF-SHA-256 (RFC 5869). */
const deriveKey = (secret: string, context: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, context, "lastro idempotent answer v1", keyLength))

const encrypt = (secret: string, context: string, text: string): Uint8Array => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, deriveKey(secret, context), nonce)
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * Decrypts a stored response. Throws if the secret, the context or the stored bytes are not those of the encryption.
 */
const decrypt = (secret: string, context: string, bytes: Uint8Array): string => {
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv(algorithm, deriveKey(secret, context), nonce, { authTagLength: tagLength })
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString("utf8")
}

interface Row {
  readonly partner_id: PartnerId
  /** Null if an earlier version stored the response. */
  readonly record_id: string | null
  readonly sealed: Uint8Array
  readonly stored_at: Date
}

interface Plaintext {
  readonly fingerprint: string
  readonly answer: string
}

/** Stores responses in PostgreSQL. The table reveals neither the idempotency key nor the request nor the response. */
export const layer: Layer.Layer<IdempotencyStore, never, SqlClient.SqlClient> = Layer.effect(
  IdempotencyStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const lock = locks(sql)
    return IdempotencyStore.of({
      claim: (slot) =>
        Effect.map(
          orDie(lock.attempt("idempotency", Buffer.from(slotOf(slot)).toString("hex"))),
          ([row]) => row?.taken ?? false
        ),
      find: (slot, since) =>
        Effect.map(
          orDie(sql<Row>`
            select partner_id, record_id, sealed, stored_at from idempotency
            where slot = ${slotOf(slot)} and stored_at >= ${since}`),
          (rows) =>
            Option.map(Arr.head(rows), (row) => {
              const { answer, fingerprint } = JSON.parse(decrypt(slot.key, slot.subject, row.sealed)) as Plaintext
              return {
                fingerprint,
                partner_id: row.partner_id,
                record_id: row.record_id ?? "",
                answer,
                stored_at: toTimestamp(row.stored_at)
              }
            })
        ),
      save: (slot, { answer, fingerprint, partner_id, record_id, stored_at }) => {
        const plaintext: Plaintext = { fingerprint, answer }
        const outdated = addMillis(stored_at, -idempotencyWindowMs)
        return orDie(sendAhead(sql`
          with purged as (
            delete from idempotency where slot in (
              select slot from idempotency where stored_at < ${outdated} and slot <> ${slotOf(slot)}
              order by stored_at limit ${purgeBatchSize} for update skip locked
            )
          )
          insert into idempotency (slot, partner_id, record_id, sealed, stored_at)
          values (
            ${slotOf(slot)}, ${partner_id}, ${record_id},
            ${encrypt(slot.key, slot.subject, JSON.stringify(plaintext))}, ${stored_at}
          )
          on conflict (slot) do update set
            partner_id = excluded.partner_id, record_id = excluded.record_id, sealed = excluded.sealed, stored_at = excluded.stored_at`))
      }
    })
  })
)
