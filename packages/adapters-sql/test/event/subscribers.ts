import { layerStatusWatch } from "@lastro/domain/adapters"
import { type DomainEvent } from "@lastro/domain/event"
import { IdGenerator } from "@lastro/domain/ports"
import { type Lastro, openLastro, orThrow, type TransactionCalls } from "@lastro/domain/promises"
import { freshId, layerMemory } from "@lastro/testkit"
import { Effect, Layer, Redacted } from "effect"
import { layerPostgres, layerStartOnly } from "../../src/index.ts"
import { waitUntil } from "../coordination.ts"

/** A process over a database. The ports that need no database are those in memory, except the ids, which are unique. */
export const overDatabase = <P, E>(database: Layer.Layer<P, E>) =>
  Layer.mergeAll(
    layerMemory,
    Layer.mergeAll(
      layerStartOnly,
      layerStatusWatch(),
      Layer.succeed(IdGenerator, IdGenerator.of({ next: freshId }))
    ).pipe(Layer.provideMerge(database))
  )

/** Opens a process over PostgreSQL. */
export const openSubscriber = (url: string): Promise<Lastro> =>
  openLastro(overDatabase(layerPostgres({ url: Redacted.make(url), maxConnections: 6 })))

/** Waits until a condition holds. */
export const until = (description: string, holds: () => Promise<boolean>) =>
  Effect.runPromise(waitUntil(description, Effect.promise(holds)))

/** Creates a root partner, and a function that changes it and so causes one event. */
export const setUp = async (lastro: Lastro) => {
  const document_number = "11222333000181"
  const body = {
    partner: { type: "pj", name: "Loja", email: "loja@example.com", phone: "1133334444", document_number }
  }
  const { partner_id } = orThrow(await lastro.createRootPartner(body))
  const caller = orThrow(await lastro.callerAt(partner_id, { subject: "ana", group: "admin" }))
  let number = 0
  /** Changes the partner several times, one after another. */
  const rename = async (times = 1): Promise<void> => {
    orThrow(await lastro.updatePartner(caller, partner_id, { partner: { name: `Loja ${++number}` } }))
    if (times > 1) await rename(times - 1)
  }
  await lastro.atomically((tx) => tx.query("create table if not exists projected (sequence bigint primary key)"))
  const sequences = async () => {
    const { rows } = await lastro.atomically((tx) =>
      tx.query<{ readonly sequence: string }>("select sequence::text from projected order by projected.sequence")
    )
    return rows.map(({ sequence }) => Number(sequence))
  }
  return { partner_id, rename, sequences }
}

/** Stores an event in the table of the host. A second time violates the primary key. */
export const project = async ({ sequence }: DomainEvent, tx: Pick<TransactionCalls<never, never>, "query">) => {
  await tx.query("insert into projected values ($1)", [sequence])
}

/** Returns the sequences from 1. */
export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
