import { type PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { makeFolder } from "./makeFolder.ts"

interface PgliteStart {
  /** The data folder. Default: in memory. */
  readonly folder?: string | undefined
  /**
   * A folder that caches a freshly initialized database, because copying a database is faster than initializing one. A
   * start in memory fills the cache. The first start in a data folder uses the cache if it is already filled.
   */
  readonly cacheFolder?: string | undefined
}

/**
 * Creates a PGlite instance with the extensions that the schema requires. Imports PGlite on demand, so that a node on a
 * PostgreSQL server never loads it.
 */
const create = async (options: PGliteOptions): Promise<PGlite> => {
  const [{ PGlite }, { pg_trgm }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/contrib/pg_trgm")
  ])
  return PGlite.create({ ...options, extensions: { pg_trgm } })
}

/** The path of the cached database for the installed version of PGlite. */
const cachePath = async (cacheFolder: string): Promise<string> => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest = await readFile(join(dirname(entry), "..", "package.json"), "utf8")
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return join(cacheFolder, `pglite-${version}.tar`)
}

/**
 * Initializes a database and writes it to the cache. If several processes write the cache at the same time, the last
 * write remains.
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

/** Loads the cached database. If the cache is empty, fills it first, or returns no data if `fill` is false. */
const loadCache = async (cacheFolder: string | undefined, fill: boolean): Promise<{ readonly loadDataDir?: Blob }> => {
  if (cacheFolder === undefined) return {}
  const file = await cachePath(cacheFolder)
  if (!(await exists(file))) {
    if (!fill) return {}
    await fillCache(cacheFolder, file)
  }
  return { loadDataDir: new Blob([await readFile(file)]) }
}

/** Creates a database under a temporary name and renames it once complete, so that a crash leaves no partial database. */
const initialize = async (folder: string, cacheFolder: string | undefined): Promise<void> => {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const pglite = await create({ dataDir: draft, ...await loadCache(cacheFolder, false) })
  await pglite.close()
  await rename(draft, folder)
}

/** Starts PGlite in memory or in a folder. */
export const startPglite = async ({ cacheFolder, folder }: PgliteStart): Promise<PGlite> => {
  if (folder === undefined) return create(await loadCache(cacheFolder, true))
  if (!(await exists(folder))) await initialize(folder, cacheFolder)
  return create({ dataDir: folder })
}
