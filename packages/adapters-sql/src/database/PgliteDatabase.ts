import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { join, resolve } from "node:path"
import { type FolderInUse, lockFolder } from "./pglite/FolderLock.ts"
import { SessionQueue } from "./pglite/SessionQueue.ts"
import { startPglite } from "./pglite/startPglite.ts"
import { makeConnector } from "./pglite/virtualConnections.ts"

/** Storage and connections of the embedded database. */
export interface PgliteOptions {
  /** The data folder, created if missing; `memory` stores nothing on disk. */
  readonly dataDir: string
  /** Maximum number of virtual connections. Transactions always run one at a time. Default: 8. */
  readonly maxConnections?: number | undefined
  /** Maximum wait for another transaction to end; a longer wait fails with `Busy`. Default: 30 s. */
  readonly lockTimeout?: Duration.Input | undefined
  /** A folder that caches a freshly initialized database, so that new databases start faster. Default: no cache. */
  readonly cacheFolder?: string | undefined
}

/**
 * Provides PGlite, a PostgreSQL embedded in this process, through the same client as a PostgreSQL server. Only one process
 * at a time can open a data folder.
 */
export const layer = (
  options: PgliteOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError | FolderInUse> =>
  Layer.unwrap(Effect.gen(function*() {
    const base = options.dataDir === "memory" ? undefined : resolve(options.dataDir)
    if (base !== undefined) yield* lockFolder(base)
    const pglite = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startPglite({
          folder: base === undefined ? undefined : join(base, "database"),
          cacheFolder: options.cacheFolder
        })
      ),
      (pglite) => Effect.promise(() => pglite.close())
    )
    const timeoutMs = Duration.toMillis(Duration.fromInputUnsafe(options.lockTimeout ?? "30 seconds"))
    return PgClient.layer({
      stream: makeConnector(pglite, new SessionQueue(timeoutMs)),
      ssl: false,
      username: "postgres",
      database: "postgres",
      maxConnections: options.maxConnections ?? 8,
      // All connections share one session of PGlite, in which the names of their prepared statements would collide.
      prepare: false
    })
  }))
