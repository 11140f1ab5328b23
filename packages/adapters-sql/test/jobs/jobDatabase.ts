import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres } from "../../src/index.ts"
import { type FreeSlots } from "../../src/jobs/readQueues.ts"
import { migratedDatabase } from "../postgres.ts"

/** A database of its own for each test. */
export const database = Layer.fresh(
  Layer.unwrap(Effect.map(migratedDatabase, (url) => layerPostgres({ url: Redacted.make(url) })))
)

/** Runs a test on a database that other tests have used, without their partners, records, jobs and nodes. */
export const onEmpty = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`truncate partner, job, job_turn, lender_callback, node cascade`
    yield* sql`alter sequence job_fence restart`
    return yield* test
  })

/** Returns the free slots of each kind of job. */
export const slots = (free: Readonly<Record<"quote" | "contract", number>>): FreeSlots => (queue) =>
  queue === "quote" || queue === "contract" ? free[queue] : 0

export const plenty: FreeSlots = slots({ quote: 100, contract: 100 })
