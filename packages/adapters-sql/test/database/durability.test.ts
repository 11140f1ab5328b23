import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ConnectionQueue } from "../../src/database/pglite/ConnectionQueue.ts"
import { startPglite } from "../../src/database/pglite/startPglite.ts"
import { makeConnector } from "../../src/database/pglite/virtualConnections.ts"
import { WalSync } from "../../src/database/pglite/WalSync.ts"
import { runCheckpoints } from "../../src/database/runCheckpoints.ts"
import { FolderUnusable, PgliteDatabase } from "../../src/index.ts"
import { makeTemporaryFolder } from "../makeTemporaryFolder.ts"
import { migratedCache } from "../migratedCache.ts"

let pglite: Awaited<ReturnType<typeof startPglite>>
beforeAll(async () => {
  pglite = await startPglite({ cacheFolder: await Effect.runPromise(migratedCache) })
})
afterAll(() => pglite.close())

it.effect("a checkpoint of PGlite follows 64 MiB of WAL, and waits for a transaction", () =>
  Effect.gen(function*() {
    const lastCheckpoint = Effect.promise(async () => {
      const { rows } = await pglite.query<{ readonly lsn: string }>(
        "select checkpoint_lsn::text as lsn from pg_control_checkpoint()"
      )
      return rows[0]?.lsn
    })
    /** Advances the clock until the next poll, and waits for the promises of the poll. */
    const poll = Effect.andThen(TestClock.adjust("1 second"), Effect.promise(() => pglite.query("select 1")))
    let bytes = 0
    const queue = new ConnectionQueue(60_000)
    yield* Effect.forkScoped(runCheckpoints({ session: pglite, queue, walBytes: () => bytes }))
    const first = yield* lastCheckpoint
    bytes = 64 * 1024 * 1024 - 1
    yield* poll
    assert.strictEqual(yield* lastCheckpoint, first)
    const transaction = {}
    yield* Effect.promise(() => queue.acquire(transaction))
    bytes++
    yield* poll
    assert.strictEqual(yield* lastCheckpoint, first)
    queue.release(transaction)
    yield* poll
    const second = yield* lastCheckpoint
    assert.notStrictEqual(second, first)
    yield* poll
    assert.strictEqual(yield* lastCheckpoint, second)
  }))

describe("answers of PGlite and the sync of the WAL", () => {
  const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
  const query = (text: string) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(text.length + 5)
    return Buffer.concat([Buffer.from("Q"), length, Buffer.from(`${text}\0`)])
  }
  type Connection = ReturnType<ReturnType<typeof makeConnector>>
  const openConnection = (connect: () => Connection) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const connection = connect()
        connection.write(startup)
        await once(connection, "data")
        return connection
      }),
      (connection) => Effect.sync(() => connection.destroy())
    )
  const request = (connection: Connection, text: string) =>
    Effect.promise(async () => {
      const answer = once(connection, "data")
      connection.write(query(text))
      return String((await answer)[0])
    })

  it.live("an answer waits for the sync, while other connections use the session and transactions proceed", () =>
    Effect.gen(function*() {
      let finish = (): void => undefined
      const synced = new Promise<void>((resolve) => {
        finish = resolve
      })
      const wal = { marks: 0, settle: () => synced }
      const connect = makeConnector(pglite, new ConnectionQueue(1_000), wal)
      const [one, other] = [yield* openConnection(connect), yield* openConnection(connect)]
      const answered: Array<string> = []
      const nextAnswer = (connection: Connection, name: string) =>
        once(connection, "data").then(() => answered.push(name))
      const committed = [nextAnswer(one, "one")]
      one.write(query("create table kept (id integer)"))
      assert.include(yield* request(other, "begin"), "BEGIN")
      assert.include(yield* request(other, "insert into kept values (1)"), "INSERT")
      committed.push(nextAnswer(other, "other"))
      other.write(query("commit"))
      yield* Effect.sleep("50 millis")
      assert.deepStrictEqual(answered, [])
      finish()
      yield* Effect.promise(() => Promise.all(committed))
      assert.sameMembers(answered, ["one", "other"])
    }))

  it.live("a failed sync closes the connection without an answer, and every later request too", () =>
    Effect.gen(function*() {
      const wal = new WalSync()
      const connect = makeConnector(pglite, new ConnectionQueue(1_000), wal)
      const [one, other] = [yield* openConnection(connect), yield* openConnection(connect)]
      // Linux refuses to sync a device.
      wal.mark("/dev/null")
      for (const connection of [one, other]) {
        const answers: Array<unknown> = []
        connection.on("data", (answer) => answers.push(answer))
        connection.write(query("select 1"))
        const [error] = yield* Effect.promise(() => once(connection, "error"))
        assert.strictEqual(error.code, "EINVAL")
        assert.deepStrictEqual(answers, [])
      }
      assert.throws(() => wal.settleNow(), /EINVAL/)
      yield* Effect.promise(() => wal.close())
    }))

  it.live("one sync covers all marks before its start, and a blocking sync covers those in progress", () =>
    Effect.gen(function*() {
      const file = join(yield* makeTemporaryFolder, "wal")
      yield* Effect.promise(() => writeFile(file, "content"))
      const wal = new WalSync()
      wal.mark(file)
      const first = wal.settle()
      wal.mark(file)
      wal.mark(file)
      const later = [wal.settle(), wal.settle()]
      yield* Effect.promise(() => Promise.all([first, ...later]))
      wal.mark(file)
      const inProgress = wal.settle()
      wal.settleNow()
      yield* Effect.promise(() => inProgress)
      assert.strictEqual(wal.marks, 4)
      yield* Effect.promise(() => wal.close())
    }))
})

describe.concurrent("a damaged data folder", () => {
  const open = (dataDir: string) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table if not exists kept (id integer)`
      yield* sql`insert into kept values (1)`
      return (yield* sql`select id from kept`).length
    }).pipe(Effect.provide(Layer.fresh(
      Layer.unwrap(Effect.map(migratedCache, (cacheFolder) => PgliteDatabase.layer({ dataDir, cacheFolder })))
    )))

  const truncateWal = async (database: string): Promise<void> => {
    const wal = join(database, "pg_wal")
    for (const name of await readdir(wal)) if (name.length === 24) await truncate(join(wal, name), 0)
  }

  it.live("is refused with the folder, the reason and the remedy, and keeps its files", () =>
    Effect.gen(function*() {
      const dataDir = yield* makeTemporaryFolder
      const database = join(dataDir, "database")
      assert.strictEqual(yield* open(dataDir), 1)
      const refusal = Effect.map(Effect.flip(open(dataDir)), (error) => {
        assert.instanceOf(error, FolderUnusable)
        return error.message
      })
      const version = yield* Effect.promise(async () => {
        const text = await readFile(join(database, "PG_VERSION"), "utf8")
        await rm(join(database, "PG_VERSION"))
        return text
      })
      const names = yield* Effect.promise(() => readdir(database))
      assert.strictEqual(
        yield* refusal,
        `The embedded database in ${database} does not start (its file PG_VERSION is missing); ` +
          "if its files are damaged, move this folder away and put a backup of it in its place."
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(database)), names)

      yield* Effect.promise(() => writeFile(join(database, "PG_VERSION"), version))
      yield* Effect.promise(() => rename(join(database, "global/pg_control"), join(dataDir, "pg_control")))
      assert.include(yield* refusal, "does not start (could not open file \"global/pg_control\"")
      yield* Effect.promise(() => rename(join(dataDir, "pg_control"), join(database, "global/pg_control")))
      assert.strictEqual(yield* open(dataDir), 2)

      yield* Effect.promise(() => truncateWal(database))
      assert.include(yield* refusal, "does not start (could not locate a valid checkpoint record")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(open(dataDir))), "it is refused again")
    }), 120_000)
})
