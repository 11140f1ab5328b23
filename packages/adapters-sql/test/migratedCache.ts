import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { ConnectionQueue } from "../src/database/pglite/ConnectionQueue.ts"
import { cachePath, startPglite } from "../src/database/pglite/startPglite.ts"
import { makeConnector } from "../src/database/pglite/virtualConnections.ts"
import { migrate } from "../src/index.ts"

/** The folder that caches an initialized PGlite between runs. */
export const cacheFolder = fileURLToPath(new URL("../../../node_modules/.cache/lastro", import.meta.url))

const sources = fileURLToPath(new URL("../src", import.meta.url))

/** A digest of this file and the source files of this package. */
const digestOfSources = async (): Promise<string> => {
  const names = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith(".ts")).toSorted()
  const files = [import.meta.filename, ...names.map((name) => join(sources, name))]
  const hash = createHash("sha256")
  for (const content of await Promise.all(files.map((file) => readFile(file)))) hash.update(content)
  return hash.digest("hex").slice(0, 16)
}

/** Runs the migrations on a new PGlite and returns its data folder as a tar file. */
const dumpMigrated = async (): Promise<Buffer> => {
  const pglite = await startPglite({ cacheFolder })
  const client = PgClient.layer({
    stream: makeConnector(pglite, new ConnectionQueue(30_000)),
    ssl: false,
    username: "postgres",
    database: "postgres",
    maxConnections: 1,
    prepare: false
  })
  await Effect.runPromise(Effect.provide(migrate, client, { local: true }))
  // Nothing uses the templates of new databases. They are a third of the data, which every start copies.
  await pglite.exec("update pg_database set datistemplate = false")
  await pglite.exec("drop database template0")
  await pglite.exec("drop database template1")
  // Without a checkpoint, each start from the copy would repeat the migrations from the write-ahead log.
  await pglite.exec("checkpoint")
  const dump = await pglite.dumpDataDir("none")
  await pglite.close()
  return Buffer.from(await dump.arrayBuffer())
}

/** Fills the cache, unless it is filled. If several workers fill it at the same time, the last copy remains. */
const fill = async (): Promise<string> => {
  const all = join(cacheFolder, "migrated")
  const digest = await digestOfSources()
  const file = await cachePath(join(all, digest))
  if (await stat(file).then(() => true, () => false)) return dirname(file)
  const dump = await dumpMigrated()
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, dump)
  await rename(draft, file)
  const outdated = (await readdir(all)).filter((name) => name !== digest)
  await Promise.all(outdated.map((name) => rm(join(all, name), { recursive: true, force: true })))
  return dirname(file)
}

let filled: Promise<string> | undefined

/**
 * A folder for the option `cacheFolder`, whose database has the tables of Lastro. Copying them is faster than running the
 * migrations.
 */
export const migratedCache: Effect.Effect<string> = Effect.promise(() => filled ??= fill())

/** Starts a PGlite in memory with the tables of Lastro, without ports. Closes it when the scope closes. */
export const migratedPglite = Effect.acquireRelease(
  Effect.flatMap(migratedCache, (cacheFolder) => Effect.promise(() => startPglite({ cacheFolder }))),
  (pglite) => Effect.promise(() => pglite.close())
)
