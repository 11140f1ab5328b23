import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { rounds } from "../../../../../test/rounds.ts"
import { PgliteDatabase } from "../../../src/index.ts"
import { cacheFolder } from "../../migratedCache.ts"

const makeTemporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-power-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Runs the workload in its own process, because it replaces functions of `node:fs`. Returns its result. */
const runWorkload = (parent: string, seed: number, images: number) =>
  Effect.promise(async () => {
    const program = fileURLToPath(new URL("./workload.ts", import.meta.url))
    await promisify(execFile)(process.execPath, [program, parent, cacheFolder, String(seed), String(images)])
    const result: {
      readonly images: number
      readonly syncs: number
      readonly transactions: number
    } = JSON.parse(await readFile(join(parent, "result.json"), "utf8"))
    return result
  })

/** Reads what was acknowledged before an image, and the share of the unsynced changes that it contains. */
const readImage = (parent: string, image: number) =>
  Effect.promise(async () => {
    const read: {
      readonly acknowledged: ReadonlyArray<number>
      readonly share: number
    } = JSON.parse(await readFile(join(parent, `${image}.json`), "utf8"))
    return read
  })

interface Stored {
  readonly id: number
  readonly parts: number
}

/** Starts PGlite in a folder, and reads the transactions that are stored. Returns none if the tables do not exist. */
const readStored = (dataDir: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [tables] = yield* sql<{ readonly total: string | null }>`select to_regclass('total')::text as total`
    if (tables?.total === null) return { entries: [], total: 0 }
    const entries = yield* sql<Stored>`select id, count(*)::int as parts from entry group by id order by id`
    const [row] = yield* sql<{ readonly entries: number }>`select entries from total`
    return { entries, total: row?.entries ?? 0 }
  }).pipe(Effect.provide(Layer.fresh(PgliteDatabase.layer({ dataDir, cacheFolder }))))

describe("PGlite after a power failure", () => {
  it.live(
    "has every acknowledged transaction, and every transaction completely or not at all",
    () =>
      Effect.gen(function*() {
        const parent = yield* makeTemporaryFolder
        const result = yield* runWorkload(parent, Math.max(12, rounds), Math.ceil(Math.max(12, rounds) / 2))
        assert.isAtLeast(result.images, 3)
        assert.isBelow(result.syncs, result.transactions, "concurrent commits share a sync")
        for (let image = 0; image < result.images; image++) {
          const { acknowledged, share } = yield* readImage(parent, image)
          const folder = join(parent, String(image))
          const { entries, total } = yield* readStored(join(folder, "data"))
          const stored = new Set(entries.map(({ id }) => id))
          const lost = acknowledged.filter((id) => id > 0 && !stored.has(id))
          assert.deepStrictEqual(lost, [], `image ${image}, share ${share}`)
          assert.deepStrictEqual(entries.filter(({ parts }) => parts !== 2), [])
          assert.strictEqual(total, entries.filter(({ id }) => id % 4 !== 0).length)
          yield* Effect.promise(() => rm(folder, { recursive: true }))
        }
      }),
    600_000
  )
})
