import {
  type IdempotencySlot,
  IdempotencyStore,
  idempotencyWindowMs,
  millisOf,
  type PartnerId,
  timestampOf
} from "@lastro/domain"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"
import { sha256 } from "../database/sha256.ts"
import { timestamp } from "../database/timestamps.ts"
import { seal, unseal } from "./sealing.ts"

/** Rows too old to be of use that each save takes away. */
const purged = 10

const slotOf = ({ key, subject }: IdempotencySlot): Uint8Array => sha256(subject, key)

interface Row {
  readonly partner_id: PartnerId
  readonly sealed: Uint8Array
  readonly stored_at: Date
}

interface Sealed {
  readonly fingerprint: string
  readonly answer: string
}

/** First answers in PostgreSQL. Neither key nor answer nor what was asked can be read from the table. */
export const layer: Layer.Layer<IdempotencyStore, never, SqlClient.SqlClient> = Layer.effect(
  IdempotencyStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const lock = locks(sql)
    return IdempotencyStore.of({
      claim: Effect.fn("IdempotencyStore.claim")((slot) =>
        Effect.map(
          orDie(lock.attempt("idempotency", Buffer.from(slotOf(slot)).toString("hex"))),
          ([row]) => row?.taken ?? false
        )
      ),
      find: Effect.fn("IdempotencyStore.find")((slot, since) =>
        Effect.map(
          orDie(sql<Row>`
            select partner_id, sealed, stored_at from idempotency
            where slot = ${slotOf(slot)} and stored_at >= ${since}`),
          (rows) =>
            Option.map(Arr.head(rows), (row) => {
              const { answer, fingerprint } = JSON.parse(unseal(slot.key, slot.subject, row.sealed)) as Sealed
              return { fingerprint, partner_id: row.partner_id, answer, stored_at: timestamp(row.stored_at) }
            })
        )
      ),
      save: Effect.fn("IdempotencyStore.save")((slot, { answer, fingerprint, partner_id, stored_at }) => {
        const sealed: Sealed = { fingerprint, answer }
        const outdated = timestampOf(millisOf(stored_at) - idempotencyWindowMs)
        return Effect.asVoid(orDie(sql`
          with purged as (
            delete from idempotency where slot in (
              select slot from idempotency where stored_at < ${outdated} and slot <> ${slotOf(slot)}
              order by stored_at limit ${purged} for update skip locked
            )
          )
          insert into idempotency (slot, partner_id, sealed, stored_at)
          values (
            ${slotOf(slot)}, ${partner_id}, ${seal(slot.key, slot.subject, JSON.stringify(sealed))}, ${stored_at}
          )
          on conflict (slot) do update set
            partner_id = excluded.partner_id, sealed = excluded.sealed, stored_at = excluded.stored_at`))
      })
    })
  })
)
