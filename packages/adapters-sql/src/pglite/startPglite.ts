import { PGlite } from "@electric-sql/pglite"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"

/** Where a PGlite keeps its data, and where a fresh one may be copied from. */
export interface PgliteStart {
  /** The folder of the data; memory when absent. */
  readonly folder?: string | undefined
  /** A folder in which a freshly initialised database is kept, because making one takes seconds and copying it less. */
  readonly cacheFolder?: string | undefined
}

const extensions = { pg_trgm }

/** Initialised databases of this version, one file each. */
const cacheFile = (cacheFolder: string): string => {
  const { version } = createRequire(import.meta.url)("@electric-sql/pglite/package.json") as {
    readonly version: string
  }
  return join(cacheFolder, `pglite-${version}.tar`)
}

const readCache = async (file: string): Promise<Blob | undefined> => {
  try {
    return new Blob([await readFile(file)])
  } catch {
    return undefined
  }
}

const writeCache = async (cacheFolder: string, file: string, pglite: PGlite): Promise<void> => {
  const bytes = await (await pglite.dumpDataDir("none")).arrayBuffer()
  await mkdir(cacheFolder, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, Buffer.from(bytes))
  await rename(draft, file)
}

/** Starts a PGlite with what our schema needs. */
export const startPglite = async ({ cacheFolder, folder }: PgliteStart): Promise<PGlite> => {
  if (folder !== undefined) return PGlite.create({ dataDir: folder, extensions })
  if (cacheFolder === undefined) return PGlite.create({ extensions })
  const file = cacheFile(cacheFolder)
  const loadDataDir = await readCache(file)
  if (loadDataDir !== undefined) return PGlite.create({ extensions, loadDataDir })
  const pglite = await PGlite.create({ extensions })
  await writeCache(cacheFolder, file, pglite)
  return pglite
}
