import { type IdempotencySlot, IdempotencyStore, idempotencyWindowMs } from "@lastro/domain/idempotency"
import { addMillis, type PartnerId } from "@lastro/domain/values"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { hkdfSync } from "node:crypto"
import { sha256, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { decrypt, encrypt } from "../database/encryption.ts"
import { locks } from "../database/locks.ts"
import { sendAhead } from "../database/postgres/statements.ts"

/** Maximum number of expired rows that each save deletes. */
const purgeBatchSize = 10

const slotOf = ({ key, subject }: IdempotencySlot): Uint8Array => sha256(subject, key)

/** Derives the encryption key of a slot from its idempotency key and subject with HKDF-SHA-256 (RFC 5869). */
const encryptionKey = ({ key, subject }: IdempotencySlot): Buffer =>
  Buffer.from(hkdfSync("sha256", key, subject, "lastro idempotent answer v1", 32))

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
              const { answer, fingerprint } = JSON.parse(decrypt(encryptionKey(slot), row.sealed, "")) as Plaintext
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
            ${encrypt(encryptionKey(slot), JSON.stringify(plaintext), "")}, ${stored_at}
          )
          on conflict (slot) do update set
            partner_id = excluded.partner_id, record_id = excluded.record_id, sealed = excluded.sealed, stored_at = excluded.stored_at`))
      }
    })
  })
)
