import { layerStatusWatch, type StatusWatchOptions } from "@lastro/domain"
import { Layer } from "effect"
import { type PgOptions } from "./database/PgDatabase.ts"
import { type PgliteOptions } from "./database/PgliteDatabase.ts"
import { layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
import * as WorkRunner from "./work/WorkRunner.ts"

/** What a node does beside keeping its database. */
export interface NodeLayerOptions extends StartOptions, Omit<WorkRunner.WorkOptions, "node"> {
  /** How many may wait for a status on this node. */
  readonly waiting?: StatusWatchOptions | undefined
}

/**
 * Everything that a node needs a PostgreSQL for: every port of the domain that a database implements, the durable work, which the
 * node shares with the others on the database, and the place where callers wait for a status. `node` tells it from the others.
 * Needs a lender and what makes ids.
 */
export const layerPostgresNode = ({ waiting, ...options }: PgOptions & NodeLayerOptions & WorkRunner.WorkOptions) =>
  WorkRunner.layerPostgres(options).pipe(
    Layer.provideMerge(layerStatusWatch(waiting)),
    Layer.provideMerge(layerPostgres(options))
  )

/** The same over an embedded PGlite, which no other process opens; `dataDir: "memory"` keeps nothing. */
export const layerPgliteNode = ({ waiting, ...options }: PgliteOptions & NodeLayerOptions) =>
  WorkRunner.layerPglite(options).pipe(
    Layer.provideMerge(layerStatusWatch(waiting)),
    Layer.provideMerge(layerPglite(options))
  )
