import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { join, resolve } from "node:path"
import { DiskSpace } from "./client/DiskSpace.ts"
import { refuseOption } from "./connection/describeFailure.ts"
import { quoteName, validateSchemaName } from "./connection/schemaName.ts"
import { ConnectionQueue } from "./pglite/ConnectionQueue.ts"
import { type FolderExposed, protectDataFolder } from "./pglite/FolderExposed.ts"
import { type FolderInUse, lockFolder } from "./pglite/FolderLock.ts"
import { FolderUnusable } from "./pglite/PgliteFolder.ts"
import { startPglite, startPgliteIn } from "./pglite/startPglite.ts"
import { makeConnector } from "./pglite/virtualConnections.ts"
import { runCheckpoints } from "./runCheckpoints.ts"

/** Storage and connections of the embedded database. */
export interface PgliteOptions {
  /** The data folder, created if missing; `memory` stores nothing on disk. */
  readonly dataDir: string
  /** The schema of the tables, as in `PgOptions`. Default: `public`. */
  readonly schema?: string | undefined
  /** Maximum number of virtual connections. Transactions always run one at a time. Default: 8. */
  readonly maxConnections?: number | undefined
  /** Maximum wait for another transaction to end; a longer wait fails with `Busy`. Default: 30 s. */
  readonly lockTimeout?: Duration.Input | undefined
  /** A folder that caches a freshly initialized database, so that new databases start faster. Default: no cache. */
  readonly cacheFolder?: string | undefined
}

/** Starts PGlite in memory, until the scope closes. */
const startInMemory = (options: PgliteOptions) =>
  Effect.map(
    Effect.acquireRelease(Effect.promise(() => startPglite(options)), (pglite) => Effect.promise(() => pglite.close())),
    (pglite) => ({ pglite, wal: undefined, walBytes: () => 0 })
  )

/** Protects and locks the data folder and starts PGlite in it, until the scope closes. */
const startInFolder = Effect.fnUntraced(function*(options: PgliteOptions) {
  const base = resolve(options.dataDir)
  const exposed = yield* Effect.promise(() => protectDataFolder(base))
  if (exposed !== undefined) return yield* exposed
  yield* lockFolder(base)
  const start = Effect.catchDefect(
    Effect.promise(() => startPgliteIn(join(base, "database"), options)),
    (cause) => cause instanceof FolderUnusable ? Effect.fail(cause) : Effect.die(cause)
  )
  return yield* Effect.acquireRelease(
    start,
    ({ pglite, wal }) => Effect.promise(() => pglite.close().finally(() => wal.close()))
  )
})

/**
 * Provides PGlite, a PostgreSQL embedded in this process. The client has the same interface as that of a PostgreSQL
 * server. Only one process at a time can open a data folder. In a data folder, a commit is on disk before the client
 * gets the response.
 */
export const layer = (
  options: PgliteOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError | FolderExposed | FolderInUse | FolderUnusable> =>
  Layer.unwrap(Effect.gen(function*() {
    const schema = options.schema === undefined
      ? undefined
      : yield* refuseOption(Effect.fromResult(validateSchemaName(options.schema)))
    const { pglite, wal, walBytes } = yield* options.dataDir === "memory"
      ? startInMemory(options)
      : startInFolder(options)
    // All connections share PGlite's only session.
    if (schema !== undefined) yield* Effect.promise(() => pglite.exec(`set search_path to ${quoteName(schema)}`))
    const queue = new ConnectionQueue(Duration.toMillis(Duration.fromInputUnsafe(options.lockTimeout ?? "30 seconds")))
    yield* Effect.forkScoped(runCheckpoints({ session: pglite, queue, walBytes }))
    const diskSpace = new DiskSpace()
    const client = PgClient.make({
      stream: makeConnector(pglite, queue, wal, (state) => diskSpace.noteState(state)),
      ssl: false,
      username: "postgres",
      database: "postgres",
      maxConnections: options.maxConnections ?? 8
    })
    return PgClient.layerFrom(Effect.map(client, (pgClient) => Object.assign(pgClient, { diskSpace })))
  }))
