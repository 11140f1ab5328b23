import { Effect, Layer, Redacted } from "effect"
import { layerPostgres } from "../../src/index.ts"
import { type FreeSlots } from "../../src/jobs/readQueues.ts"
import { migratedDatabase } from "../postgres.ts"

/** A database of its own for each test. */
export const database = Layer.fresh(
  Layer.unwrap(Effect.map(migratedDatabase, (url) => layerPostgres({ url: Redacted.make(url) })))
)

/** Returns the free slots of each kind of job. */
export const slots = (free: Readonly<Record<"quote" | "contract", number>>): FreeSlots => (queue) =>
  queue === "quote" || queue === "contract" ? free[queue] : 0

export const plenty: FreeSlots = slots({ quote: 100, contract: 100 })
