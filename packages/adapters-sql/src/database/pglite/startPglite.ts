import { type PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { makeFolder } from "./makeFolder.ts"

/** Where a PGlite keeps its data, and where a fresh one may be copied from. */
export interface PgliteStart {
  /** The folder of the data; memory when absent. */
  readonly folder?: string | undefined
  /**
   * A folder in which a freshly initialised database is kept, because making one takes seconds and copying it less. A
   * start in memory fills it, a start in a folder, which happens once, uses what it finds there.
   */
  readonly cacheFolder?: string | undefined
}

/** Creates a PGlite with what our schema needs. It is loaded only then: never in a process on a PostgreSQL server. */
const create = async (options: PGliteOptions): Promise<PGlite> => {
  const [{ PGlite }, { pg_trgm }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/contrib/pg_trgm")
  ])
  return PGlite.create({ ...options, extensions: { pg_trgm } })
}

/** Where the initialised database of this very version of PGlite is kept. */
const cacheFile = async (cacheFolder: string): Promise<string> => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest = await readFile(join(dirname(entry), "..", "package.json"), "utf8")
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return join(cacheFolder, `pglite-${version}.tar`)
}

/** Makes an initialised database and keeps it; of several that do so at once the last one's stays. */
const fillCache = async (cacheFolder: string, file: string): Promise<void> => {
  const pglite = await create({})
  const bytes = await (await pglite.dumpDataDir("none")).arrayBuffer()
  await pglite.close()
  await makeFolder(cacheFolder)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, Buffer.from(bytes))
  await rename(draft, file)
}

const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, () => false)

/** What a fresh PGlite starts from: the kept database, which is made first where `fill` says so, or nothing. */
const origin = async (cacheFolder: string | undefined, fill: boolean): Promise<{ readonly loadDataDir?: Blob }> => {
  if (cacheFolder === undefined) return {}
  const file = await cacheFile(cacheFolder)
  if (!(await isThere(file))) {
    if (!fill) return {}
    await fillCache(cacheFolder, file)
  }
  return { loadDataDir: new Blob([await readFile(file)]) }
}

/** Makes a database beside its place and moves it there when it is whole, so that a crash leaves no half of one. */
const initialise = async (folder: string, cacheFolder: string | undefined): Promise<void> => {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const pglite = await create({ dataDir: draft, ...await origin(cacheFolder, false) })
  await pglite.close()
  await rename(draft, folder)
}

/** Starts a PGlite. */
export const startPglite = async ({ cacheFolder, folder }: PgliteStart): Promise<PGlite> => {
  if (folder === undefined) return create(await origin(cacheFolder, true))
  if (!(await isThere(folder))) await initialise(folder, cacheFolder)
  return create({ dataDir: folder })
}
