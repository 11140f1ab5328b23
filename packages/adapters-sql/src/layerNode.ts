import { layerStatusWatch, type StatusWatchOptions } from "@lastro/domain/adapters"
import { Layer } from "effect"
import { type PgOptions } from "./database/PgDatabase.ts"
import { type PgliteOptions } from "./database/PgliteDatabase.ts"
import { layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
import * as WorkRunner from "./work/WorkRunner.ts"

/** Options of a node in addition to those of its database. */
export interface NodeLayerOptions extends StartOptions, Omit<WorkRunner.WorkOptions, "node"> {
  /** Limits of the callers that wait for a status on this node. */
  readonly waiting?: StatusWatchOptions | undefined
}

/**
 * A node on PostgreSQL: every port of the domain that a database implements, the worker for durable jobs, which it shares with
 * the other nodes on the database, and long polling for a status. `node` is its unique name. Requires a `Lender` and an
 * `IdGenerator`.
 */
export const layerPostgresNode = ({ waiting, ...options }: PgOptions & NodeLayerOptions & WorkRunner.WorkOptions) =>
  WorkRunner.layerPostgres(options).pipe(
    Layer.provideMerge(layerStatusWatch(waiting)),
    Layer.provideMerge(layerPostgres(options))
  )

/** A node on an embedded PGlite, which only this process can open. `dataDir: "memory"` stores nothing on disk. */
export const layerPgliteNode = ({ waiting, ...options }: PgliteOptions & NodeLayerOptions) =>
  WorkRunner.layerPglite(options).pipe(
    Layer.provideMerge(layerStatusWatch(waiting)),
    Layer.provideMerge(layerPglite(options))
  )
