import { layerStatusWatch, type StatusWatchOptions } from "@lastro/domain/adapters"
import { Lender, LenderSettings } from "@lastro/domain/lender"
import { Context, Effect, Layer } from "effect"
import { type PgOptions } from "./database/PgDatabase.ts"
import { type PgliteOptions } from "./database/PgliteDatabase.ts"
import { layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
import * as WorkRunner from "./work/WorkRunner.ts"

/** Options of a node in addition to those of its database. */
export interface NodeLayerOptions extends StartOptions, WorkRunner.WorkOptions {
  /** Limits on the callers that long-poll a status on this node. */
  readonly waiting?: StatusWatchOptions | undefined
}

/** Provides the required lender and its settings to the use cases as well: acceptances, cancellations and callbacks need them. */
const layerLender = Layer.effectContext(Effect.gen(function*() {
  return Context.make(Lender, yield* Lender).pipe(Context.add(LenderSettings, yield* LenderSettings))
}))

/**
 * A complete node on PostgreSQL: all database ports, the worker for durable jobs, and long polling for statuses. Nodes
 * on the same database share the jobs. Requires a `Lender`, which it also provides, and an `IdGenerator`.
 */
export const layerPostgresNode = ({ waiting, ...options }: PgOptions & NodeLayerOptions) =>
  WorkRunner.layerPostgres(options).pipe(
    Layer.provideMerge(layerStatusWatch(waiting)),
    Layer.provideMerge(layerPostgres(options)),
    Layer.merge(layerLender)
  )

/**
 * A complete node on an embedded PGlite, which only this process can open. `dataDir: "memory"` stores nothing on disk.
 * Requires a `Lender`, which it also provides, and an `IdGenerator`.
 */
export const layerPgliteNode = ({ waiting, ...options }: PgliteOptions & NodeLayerOptions) =>
  WorkRunner.layerPglite(options).pipe(
    Layer.provideMerge(layerStatusWatch(waiting)),
    Layer.provideMerge(layerPglite(options)),
    Layer.merge(layerLender)
  )
