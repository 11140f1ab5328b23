import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { protectTree } from "./FolderExposed.ts"
import { FolderUnusable, openPgliteFolder, type PgliteFolder, withSmallBuffers } from "./PgliteFolder.ts"
import { makeFolder, syncFolder, syncTree } from "./syncPath.ts"

interface CacheOptions {
  /**
   * A folder that caches a new, empty database. Copying it is faster than initializing a database. A start in memory
   * fills the cache. The first start in a data folder uses the cache only if it is already filled.
   */
  readonly cacheFolder?: string | undefined
}

const loadExtensions = async () => {
  const { pg_trgm } = await import("@electric-sql/pglite/contrib/pg_trgm")
  return { pg_trgm }
}

/** Creates a PGlite instance. Imports PGlite on demand, so a node on a PostgreSQL server never loads it. */
const create = async (options: PGliteOptions): Promise<PGlite> => {
  const [{ PGlite }, extensions] = await Promise.all([import("@electric-sql/pglite"), loadExtensions()])
  return PGlite.create({ ...options, extensions, startParams: withSmallBuffers(PGlite.defaultStartParams) })
}

/** The path of the cached database of the installed PGlite version. */
export const cachePath = async (cacheFolder: string): Promise<string> => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest = await readFile(join(dirname(entry), "..", "package.json"), "utf8")
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return join(cacheFolder, `pglite-${version}.tar`)
}

/**
 * Initializes a database and writes it to the cache. If several processes write at the same time, the last one wins.
 */
const fillCache = async (cacheFolder: string, file: string): Promise<void> => {
  const pglite = await create({})
  const bytes = await (await pglite.dumpDataDir("none")).arrayBuffer()
  await pglite.close()
  await makeFolder(cacheFolder)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, Buffer.from(bytes))
  await rename(draft, file)
}

const exists = (path: string): Promise<boolean> => stat(path).then(() => true, () => false)

/**
 * Loads the cached database. If the cache is empty, fills it first if `fill` is true, and otherwise returns no data.
 */
const loadCache = async (cacheFolder: string | undefined, fill: boolean): Promise<{ readonly loadDataDir?: Blob }> => {
  if (cacheFolder === undefined) return {}
  const file = await cachePath(cacheFolder)
  if (!(await exists(file))) {
    if (!fill) return {}
    await fillCache(cacheFolder, file)
  }
  return { loadDataDir: new Blob([await readFile(file)]) }
}

/**
 * Creates a database under a temporary name. Renames it when it is complete and on disk. So neither a crash nor a power
 * failure leaves a partial database.
 */
const initialize = async (folder: string, cacheFolder: string | undefined): Promise<void> => {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const pglite = await create({ dataDir: draft, ...await loadCache(cacheFolder, false) })
  await pglite.close()
  // PGlite creates files with the permissions that the umask allows.
  await protectTree(draft)
  await syncTree(draft)
  await rename(draft, folder)
  await syncFolder(dirname(folder))
}

/** Starts PGlite in memory. */
export const startPglite = async ({ cacheFolder }: CacheOptions = {}): Promise<PGlite> =>
  create(await loadCache(cacheFolder, true))

/**
 * Starts PGlite in a folder. Initializes the database if the folder is missing. Every commit is on disk once
 * `wal.settle()` resolves. Fails with {@link FolderUnusable}.
 */
export const startPgliteIn = async (folder: string, { cacheFolder }: CacheOptions): Promise<PgliteFolder> => {
  if (await exists(folder)) {
    // Without this file, PGlite would initialize a new database over the remaining files.
    if (!(await exists(join(folder, "PG_VERSION")))) {
      throw new FolderUnusable({ folder, reason: "its file PG_VERSION is missing" })
    }
    // The files of a restored backup, or of an older version of Lastro, may not be on disk yet.
    await syncTree(folder)
  } else await initialize(folder, cacheFolder)
  return openPgliteFolder(folder, { extensions: await loadExtensions() })
}
