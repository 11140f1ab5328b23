import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { join, resolve } from "node:path"
import { type FolderInUse, lockFolder } from "./pglite/FolderLock.ts"
import { Turns } from "./pglite/SessionQueue.ts"
import { startPglite } from "./pglite/startPglite.ts"
import { connections } from "./pglite/virtualConnections.ts"

/** Where the embedded database keeps its data, and how it is shared. */
export interface PgliteOptions {
  /** A folder, made when it is not there; `memory` keeps nothing. */
  readonly dataDir: string
  /** Virtual connections at most; 8 unless given. Transactions run one at a time, whatever this is. */
  readonly maxConnections?: number | undefined
  /** How long a statement waits for another transaction to end before it is given up as Busy; 30 seconds unless given. */
  readonly lockTimeout?: Duration.Input | undefined
  /** A folder that keeps a freshly initialised database, so that the next new one starts sooner. */
  readonly cacheFolder?: string | undefined
}

/**
 * PGlite, a PostgreSQL inside this process, behind the same client that talks to a PostgreSQL server. One process at a
 * time can open a folder.
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
    const patience = Duration.toMillis(Duration.fromInputUnsafe(options.lockTimeout ?? "30 seconds"))
    return PgClient.layer({
      stream: connections(pglite, new Turns(patience)),
      ssl: false,
      username: "postgres",
      database: "postgres",
      maxConnections: options.maxConnections ?? 8,
      // A prepared statement belongs to PGlite's one session, where names of several connections would meet.
      prepare: false
    })
  }))
