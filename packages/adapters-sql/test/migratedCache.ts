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

/** The size of a header and of each unit of data in a tar file. */
const block = 512

/** An entry of a tar file. */
interface Entry {
  readonly header: Buffer
  /** The path in the data folder. */
  readonly name: string
  readonly isFolder: boolean
  readonly data: Buffer
}

const entriesOf = (tar: Buffer): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  for (let at = 0; at + block <= tar.length && tar[at] !== 0;) {
    const header = tar.subarray(at, at + block)
    const name = header.toString("latin1", 0, header.indexOf(0)).replace(/^\//, "")
    const size = Number.parseInt(header.toString("latin1", 124, 136), 8)
    const data = tar.subarray(at + block, at + block + size)
    entries.push({ header, name, isFolder: header[156] === "5".charCodeAt(0), data })
    at += block + Math.ceil(size / block) * block
  }
  return entries
}

const resized = (given: Buffer, size: number): Buffer => {
  const header = Buffer.from(given)
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1")
  header.fill(" ", 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return header
}

/** Returns the length of data without the zeros at its end, rounded up to pages of 8 KiB. */
const usedLength = (data: Buffer): number => {
  let end = data.length
  while (end > 0 && data[end - 1] === 0) end -= 1
  return Math.ceil(end / 8192) * 8192
}

/**
 * Removes three quarters of a tar file of a data folder, which every start would copy: the files of the dropped templates,
 * which PGlite leaves behind, and the unused rest of the write-ahead log.
 */
const shrink = (tar: Buffer): Buffer => {
  const parts = entriesOf(tar).flatMap(({ data, header, name }) => {
    if (/^base\/[14]\//.test(name)) return []
    const size = /^pg_wal\/[0-9A-F]{24}$/.test(name) ? usedLength(data) : data.length
    return [resized(header, size), data.subarray(0, size), Buffer.alloc((block - size % block) % block)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
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
  // Nothing uses the templates of new databases.
  await pglite.exec("update pg_database set datistemplate = false")
  await pglite.exec("drop database template0")
  await pglite.exec("drop database template1")
  // Without a checkpoint, each start from the copy would repeat the migrations from the write-ahead log. It removes the log.
  await pglite.exec("set wal_recycle = off")
  await pglite.exec("select pg_switch_wal()")
  await pglite.exec("checkpoint")
  const dump = await pglite.dumpDataDir("none")
  await pglite.close()
  return shrink(Buffer.from(await dump.arrayBuffer()))
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

/** Makes the database of a data folder, with the tables of Lastro. A first start in the folder runs no migration. */
export const writeMigrated = (folder: string): Effect.Effect<void> =>
  Effect.flatMap(migratedCache, (cache) =>
    Effect.promise(async () => {
      const database = join(folder, "database")
      const entries = entriesOf(await readFile(await cachePath(cache)))
      const folders = entries.filter(({ isFolder }) => isFolder).map(({ name }) => join(database, name))
      await Promise.all([database, ...folders].map((path) => mkdir(path, { recursive: true, mode: 0o700 })))
      const files = entries.filter(({ isFolder }) => !isFolder)
      await Promise.all(files.map(({ data, name }) => writeFile(join(database, name), data, { mode: 0o600 })))
    }))
