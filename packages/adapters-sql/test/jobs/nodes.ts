import { layerStatusWatch } from "@lastro/domain/adapters"
import { type Lender, type LenderThrottle } from "@lastro/domain/lender"
import { IdGenerator } from "@lastro/domain/ports"
import { freshId } from "@lastro/testkit"
import { Effect, Exit, Layer, Redacted, References, Scope } from "effect"
import { type PgOptions } from "../../src/database/PgDatabase.ts"
import { type PgliteOptions } from "../../src/database/PgliteDatabase.ts"
import { layerPglite, layerPostgres } from "../../src/index.ts"
import * as WorkRunner from "../../src/jobs/WorkRunner.ts"
import { cacheFolder, migratedCache } from "../migratedCache.ts"

// These tests provoke failures, so their logs are noise.
const quiet = Layer.succeed(References.MinimumLogLevel, "None")

/** The services that jobs need in addition to the database and a lender. */
const services = Layer.mergeAll(layerStatusWatch(), Layer.succeed(IdGenerator, { next: freshId }), quiet)

/** A node on the PostgreSQL at `url`: every port and a worker. `lender` may also replace the throttle. */
export const postgresNode = <L>(
  url: string,
  lender: Layer.Layer<L | Lender, never, LenderThrottle>,
  options: WorkRunner.WorkOptions & Partial<PgOptions> = {}
) =>
  Layer.fresh(
    WorkRunner.layerPostgres({ url: Redacted.make(url), ...options }).pipe(
      Layer.provideMerge(Layer.merge(lender, services)),
      Layer.provideMerge(layerPostgres({ url: Redacted.make(url), ...options }))
    )
  )

/** A node on a PGlite in a folder, or in memory. */
export const pgliteNode = <L>(
  dataDir: string,
  lender: Layer.Layer<L | Lender, never, LenderThrottle>,
  options: WorkRunner.WorkOptions & Pick<PgliteOptions, "schema"> = {}
) =>
  Layer.fresh(
    WorkRunner.layerPglite(options).pipe(
      Layer.provideMerge(Layer.merge(lender, services)),
      Layer.provideMerge(Layer.unwrap(Effect.map(
        options.schema === undefined ? migratedCache : Effect.succeed(cacheFolder),
        (folder) => layerPglite({ dataDir, cacheFolder: folder, schema: options.schema })
      )))
    )
  )

/** A process on the PostgreSQL at `url` that starts jobs and executes none. */
export const startOnlyProcess = (url: string) =>
  Layer.fresh(
    WorkRunner.layerStartOnly.pipe(Layer.provideMerge(Layer.merge(layerPostgres({ url: Redacted.make(url) }), quiet)))
  )

/** Starts a node that runs until it is stopped or its scope closes. */
export const startNode = Effect.fnUntraced(function*<R, E>(node: Layer.Layer<R, E>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const context = yield* Layer.buildWithScope(node, scope)
  return {
    run: <A, F>(effect: Effect.Effect<A, F, R>): Effect.Effect<A, F> => Effect.provide(effect, context),
    stop: Scope.close(scope, Exit.void)
  }
})
