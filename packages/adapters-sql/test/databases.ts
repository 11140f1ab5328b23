import { Effect, Layer, Redacted } from "effect"
import { type PgOptions } from "../src/database/PgDatabase.ts"
import { layer, layerPglite, layerPostgres, migrate, PgDatabase, type StartOptions } from "../src/index.ts"
import { migratedCache } from "./migratedCache.ts"
import { migratedDatabase } from "./postgres.ts"

/** Every port on a new, migrated PostgreSQL database. */
export const postgres = (options: Partial<PgOptions & StartOptions> = {}) =>
  Layer.unwrap(
    Effect.map(migratedDatabase, (url) => layerPostgres({ url: Redacted.make(url), ...options }))
  )

/** As {@link postgres}, but nothing adds pending changes to the stored counts in the background. */
export const postgresWithoutFolder = (options: Partial<PgOptions> = {}) =>
  Layer.unwrap(
    Effect.map(migratedDatabase, (url) =>
      layer.pipe(
        Layer.provide(Layer.effectDiscard(migrate)),
        Layer.provideMerge(PgDatabase.layer({ url: Redacted.make(url), ...options }))
      ))
  )

/** Every port on a new, migrated PGlite in memory. */
export const pglite = (options: Pick<PgOptions & StartOptions, "interval" | "lockTimeout"> = {}) =>
  Layer.fresh(
    Layer.unwrap(
      Effect.map(migratedCache, (cacheFolder) => layerPglite({ dataDir: "memory", cacheFolder, ...options }))
    )
  )
