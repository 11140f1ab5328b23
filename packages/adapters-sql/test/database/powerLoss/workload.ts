import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Chooser } from "./SimulatedDisk.ts"
import { simulateDisk } from "./simulateDisk.ts"

/*
 * Writes to a new PGlite in the folder `disk`, and leaves what a power failure would leave at random points of time: the
 * folder `0`, `1`, … with the data folder, and a file `0.json`, `1.json`, … with the numbers of the acknowledged transactions.
 * Arguments: the parent folder, the cache folder, the seed, and the number of images.
 */
const [parent = "", cacheFolder = "", seedText = "", imagesText = ""] = process.argv.slice(2)
const root = join(parent, "disk")
mkdirSync(root)

/** A generator of numbers from 0 to 1 (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
let state = Number(seedText) >>> 0
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** Shares of the changes in the cache of the operating system that reach the disk. */
const shares = [0, 0.1, 0.5, 0.9, 1]

const transactions = 160
const writers = 8

const images = Number(imagesText)
const acknowledged = new Set<number>()
let isCreated = false
let written = 0

const writeImage = (share = shares[Math.floor(random() * shares.length)] ?? 0): void => {
  const choose: Chooser = () => random() < share
  disk.writeImage(join(parent, String(written)), choose)
  writeFileSync(join(parent, `${written}.json`), JSON.stringify({ share, acknowledged: [...acknowledged] }))
  written++
}

/** Changes of the disk per image: about as many as one image's share of all changes. */
let untilImage = 1_500
const onChange = (): void => {
  if (written >= images || --untilImage > 0) return
  // The first image shows a failure during the creation of the database.
  if (written === 0 || isCreated) writeImage()
  untilImage = isCreated ? Math.ceil(random() * 2_000 / images) : 1_000
}

/** After a checkpoint, the next start reads only the WAL that follows it. So nothing before it may be missing. */
const onSync = (path: string): void => {
  if (isCreated && written < images && path.endsWith("pg_control")) writeImage(0)
}

const disk = simulateDisk(root, { syncMs: 4, onChange, onSync })
// Imported after the functions of node:fs have been replaced.
const { layer } = await import("../../../src/database/PgliteDatabase.ts")

const acknowledge = (id: number) => Effect.sync(() => void acknowledged.add(id))

const write = Effect.fnUntraced(function*(id: number) {
  const sql = yield* SqlClient.SqlClient
  const text = "x".repeat(Math.ceil(random() * (id % 10 === 0 ? 200_000 : 500)))
  if (id % 4 === 0) yield* sql`insert into entry values (${id}, 1, ${text}), (${id}, 2, ${text})`
  else {
    yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`insert into entry values (${id}, 1, ${text})`
      yield* sql`update total set entries = entries + 1`
      yield* sql`insert into entry values (${id}, 2, ${text})`
    }))
  }
  yield* acknowledge(id)
  if (id % 40 === 20) yield* sql`checkpoint`
  if (id % 40 === 30) yield* sql`drop table if exists extra`
  if (id % 40 === 35) yield* sql`create table extra as select * from entry`
  // An answer to a read is an acknowledgement of what it contains.
  const seen = yield* sql<{ readonly id: number }>`select distinct id from entry`
  yield* Effect.forEach(seen, (row) => acknowledge(row.id))
})

const program = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table entry (id integer, part integer, text text not null, primary key (id, part))`
  yield* sql`create table total (entries integer not null)`
  yield* sql`insert into total values (0)`
  yield* acknowledge(0)
  isCreated = true
  untilImage = 0
  const commits = disk.countSyncs("pg_wal")
  yield* Effect.forEach(Array.from({ length: transactions }, (_, index) => index + 1), write, { concurrency: writers })
  return disk.countSyncs("pg_wal") - commits
})

const syncs = await Effect.runPromise(
  Effect.provide(program, Layer.fresh(layer({ dataDir: join(root, "data"), cacheFolder, maxConnections: writers })))
)
writeFileSync(join(parent, "result.json"), JSON.stringify({ images: written, syncs, transactions }))
