import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { aPartner, storeRootPartner } from "@lastro/testkit"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { queryObjects } from "node:v8"
import { ConnectionQueue } from "../../src/database/pglite/ConnectionQueue.ts"
import { protectDataFolder } from "../../src/database/pglite/FolderExposed.ts"
import { lockFolder } from "../../src/database/pglite/FolderLock.ts"
import { startPglite } from "../../src/database/pglite/startPglite.ts"
import { makeFolder } from "../../src/database/pglite/syncPath.ts"
import { makeConnector } from "../../src/database/pglite/virtualConnections.ts"
import { checkHierarchy, FolderExposed, FolderInUse, layerPglite } from "../../src/index.ts"
import * as databases from "../databases.ts"
import { makeTemporaryFolder } from "../makeTemporaryFolder.ts"
import { migratedCache, writeMigrated } from "../migratedCache.ts"
import { verifyPaths } from "../paging/verifyPaths.ts"

const firstPage = {
  filters: {},
  page: { number: 0, size: 1 },
  sort: [{ property: "created_at", direction: "desc" }]
} as const

const layerFolder = (dataDir: string) =>
  Layer.unwrap(Effect.map(migratedCache, (cacheFolder) => layerPglite({ dataDir, cacheFolder })))

/** Starts a process that opens folders and inserts a root in each. Kills it when the scope closes. */
const startOtherProcess = (folders: ReadonlyArray<string>, umask = "022") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const program = fileURLToPath(new URL("./openFolder.ts", import.meta.url))
      // Without the flag, V8 would compile a huge function of PGlite for two seconds.
      const node = [process.execPath, "--liftoff-only", program]
      const start = ["-c", `umask ${umask} && exec "$0" "$@"`, ...node]
      const child = spawn("sh", [...start, await Effect.runPromise(migratedCache), ...folders], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = await once(child.stdout, "data") as [Buffer]
      assert.strictEqual(String(line).trim(), "open")
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGKILL")
        await once(child, "exit")
      })
  )

it.layer(databases.pglite(), { excludeTestServices: true, timeout: "1 minute" })(
  "PGlite in memory",
  (it) => {
    it.effect(
      "T02 T03 a first page is the same, whichever access path is tried first, before and after moves",
      () => verifyPaths(2),
      60_000
    )

    it.effect("T56 20 concurrent transactions and 20 concurrent statements finish, each with its own result", () =>
      Effect.gen(function*() {
        const unit = yield* UnitOfWork
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table counter (value integer not null)`
        yield* sql`insert into counter values (0)`
        const increment = unit.atomically(Effect.gen(function*() {
          const [row] = yield* sql<{ readonly value: number }>`select value from counter`
          yield* Effect.yieldNow
          yield* sql`update counter set value = ${(row?.value ?? 0) + 1}`
        }))
        const rolledBack = Effect.exit(unit.atomically(Effect.andThen(increment, Effect.die("rolled back"))))
        const read = sql`select value from counter`
        yield* Effect.all(Array.from({ length: 20 }, (_, index) => [increment, index % 2 ? rolledBack : read]).flat(), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* sql`select value from counter`, [{ value: 20 }])
      }))

    it.effect("an interrupted wait leaves the queue", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const held = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
          yield* sql`select 1`
          yield* Deferred.succeed(held, undefined)
          return yield* Effect.never
        })))
        yield* Deferred.await(held)
        const waiting = yield* Effect.forkChild(sql`select 2`)
        yield* Effect.sleep("20 millis")
        yield* Effect.all([Fiber.interrupt(waiting), Fiber.interrupt(holder)], { concurrency: 2 })
        assert.deepStrictEqual(yield* sql`select 3 as three`, [{ three: 3 }])
      }))
  }
)

it.layer(databases.pglite({ lockTimeout: "1 second" }), { excludeTestServices: true, timeout: "1 minute" })(
  "PGlite with a short lock timeout",
  (it) => {
    it.effect("a wait for a transaction that exceeds the lock timeout fails with Busy, and the transaction continues", () =>
      Effect.gen(function*() {
        const unit = yield* UnitOfWork
        const tree = yield* PartnerTree
        const root = yield* storeRootPartner()
        const held = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(unit.atomically(Effect.gen(function*() {
          yield* tree.lock(root.partner_id, "exclusive")
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(end)
          return "done"
        })))
        yield* Deferred.await(held)
        const refused = yield* Effect.flip(unit.atomically(tree.lock(root.partner_id, "shared")))
        assert.strictEqual(refused._tag, "Busy")
        yield* Deferred.succeed(end, undefined)
        assert.strictEqual(yield* Fiber.join(holder), "done")
        yield* unit.atomically(tree.lock(root.partner_id, "shared"))
      }))
  }
)

describe("virtual connections to PGlite", () => {
  let pglite: Awaited<ReturnType<typeof startPglite>>
  beforeAll(async () => {
    pglite = await startPglite({ cacheFolder: await Effect.runPromise(migratedCache) })
  })
  afterAll(() => pglite.close())

  /** Makes a function that opens connections to the PGlite of these tests, with a queue of their own. */
  const makeConnect = Effect.sync(() => makeConnector(pglite, new ConnectionQueue(1_000)))
  const int32 = (...values: ReadonlyArray<number>) => {
    const bytes = Buffer.alloc(4 * values.length)
    values.forEach((value, index) => bytes.writeInt32BE(value, 4 * index))
    return bytes
  }
  const startup = Buffer.concat([int32(9, 196_608), Buffer.from([0])])
  const query = (text: string) => Buffer.concat([Buffer.from("Q"), int32(text.length + 5), Buffer.from(`${text}\0`)])
  /** Sends bytes and returns the next answer. */
  const request = (connection: ReturnType<ReturnType<typeof makeConnector>>, bytes: Uint8Array) =>
    Effect.promise(async () => {
      const answer = once(connection, "data")
      connection.write(bytes)
      return String((await answer)[0])
    })

  const message = (type: string, text: string) =>
    Buffer.concat([Buffer.from(type), int32(text.length + 4), Buffer.from(text)])
  const sync = message("S", "")
  const prepare = (name: string) => Buffer.concat([message("P", `${name}\0select 1\0\0\0`), sync])
  const countPrepared = query(
    "select 'prepared: ' || coalesce(string_agg(name, ' ' order by name), 'none') || '.' from pg_prepared_statements"
  )
  /** Closes a connection, and waits until its statements are closed. */
  const close = (connection: ReturnType<ReturnType<typeof makeConnector>>) =>
    Effect.promise(async () => {
      const closed = once(connection, "close")
      connection.destroy()
      await closed
    })

  it.live("refuse encryption, complete the startup and accept fragmented messages", () =>
    Effect.gen(function*() {
      const connection = (yield* makeConnect)()
      assert.strictEqual(yield* request(connection, int32(8, 80_877_103)), "N")
      connection.write(startup.subarray(0, 3))
      assert.include(yield* request(connection, startup.subarray(3)), "client_encoding")
      const select = query("select 'sent'")
      connection.write(select.subarray(0, 7))
      assert.include(yield* request(connection, select.subarray(7)), "sent")
      connection.destroy()
    }))

  it.live("release the memory of an answer once it is sent", () =>
    Effect.gen(function*() {
      const connection = (yield* makeConnect)()
      yield* request(connection, startup)
      const { messages } = yield* Effect.promise(() => pglite.execProtocol(query("select 'row'")))
      const Row = messages.find(({ name }) => name === "dataRow")?.constructor
      assert(Row !== undefined)
      // Counts the objects of this process after a garbage collection.
      const countRows = () => queryObjects(Row, { format: "count" })
      messages.length = 0
      const before = countRows()
      for (let round = 0; round < 20; round++) {
        assert.include(yield* request(connection, query("select 'sent' from generate_series(1, 5)")), "sent")
      }
      assert.isAtMost(countRows(), before)
      connection.destroy()
    }))

  it.live("return large answers, errors, notices and notifications completely", () =>
    Effect.gen(function*() {
      const connection = (yield* makeConnect)()
      yield* request(connection, startup)
      const long = yield* request(connection, query("select repeat('x', 1000) from generate_series(1, 2000)"))
      assert.strictEqual(long.match(/x{1000}/g)?.length, 2_000)
      const copied = yield* request(
        connection,
        query("copy (select 'line ' || n from generate_series(1, 3000) n) to stdout")
      )
      assert.strictEqual(copied.match(/line \d+\n/g)?.length, 3_000)
      const failed = yield* request(connection, query("select 'first'; select 1/0; select 'never'"))
      assert.include(failed, "first")
      assert.include(failed, "C22012")
      assert.notInclude(failed, "never")
      assert.include(yield* request(connection, query("do $$ begin raise notice 'noticed'; end $$")), "noticed")
      yield* request(connection, query("listen news"))
      assert.include(yield* request(connection, query("notify news, 'something new'")), "something new")
      connection.destroy()
    }))

  it.live("keep the prepared statements of each connection apart, and close those of a closed connection", () =>
    Effect.gen(function*() {
      const connect = yield* makeConnect
      const [one, other] = [connect(), connect()]
      yield* request(one, startup)
      yield* request(other, startup)
      for (const [connection, name] of [[one, "kept"], [other, "left"], [other, "closed"]] as const) {
        yield* request(connection, prepare(name))
      }
      yield* request(other, Buffer.concat([message("C", "Sclosed\0"), sync]))
      assert.include(yield* request(one, countPrepared), "prepared: kept left.")
      yield* close(other)
      assert.include(yield* request(one, countPrepared), "prepared: kept.")
      yield* close(one)
    }))

  it.live("close the statements of a connection that did not get the session with those of the next one", () =>
    Effect.gen(function*() {
      const connect = makeConnector(pglite, new ConnectionQueue(0))
      const [one, other] = [connect(), connect()]
      yield* request(one, startup)
      yield* request(other, startup)
      yield* request(other, query("begin"))
      yield* request(other, prepare("waiting"))
      yield* request(other, query("commit"))
      yield* request(one, prepare("late"))
      yield* request(one, query("begin"))
      yield* close(other)
      assert.include(yield* request(one, query("commit")), "COMMIT")
      yield* close(one)
      const last = connect()
      yield* request(last, startup)
      assert.include(yield* request(last, countPrepared), "prepared: none.")
      last.destroy()
    }))

  it.live("roll back the transaction of a closed connection, and close on a cancel request", () =>
    Effect.gen(function*() {
      const connect = yield* makeConnect
      const [one, other, cancelling] = [connect(), connect(), connect()]
      yield* request(one, startup)
      yield* request(other, startup)
      yield* request(one, query("create table kept (id int)"))
      yield* request(one, query("begin"))
      yield* request(one, query("insert into kept values (1)"))
      const closed = once(cancelling, "close")
      cancelling.write(int32(16, 80_877_102, 1, 1))
      yield* Effect.promise(() => closed)
      const waiting = yield* Effect.forkChild(request(other, query("select 'rows: ' || count(*) from kept")))
      yield* Effect.sleep("10 millis")
      one.destroy()
      assert.include(yield* Fiber.join(waiting), "rows: 0")
      other.destroy()
    }))
})

describe.concurrent("PGlite in a folder", () => {
  const addRoot = Effect.gen(function*() {
    const partner = yield* aPartner()
    yield* (yield* PartnerRepository).insertRoot(asOperator.inScope(partner))
    return partner.partner_id
  })
  const rootsOf = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql<{ readonly id: string }>`select id from partner`).map(({ id }) => id)
  })

  it.live(
    "keeps committed data after a clean shutdown and a kill, and cannot be opened by a second process or twice",
    () =>
      Effect.gen(function*() {
        const path = yield* makeTemporaryFolder
        const open = layerFolder(path)
        const openError = Effect.exit(rootsOf.pipe(Effect.provide(open, { local: true }))).pipe(
          Effect.map((exit) => Exit.isFailure(exit) ? Option.getOrNull(Cause.findErrorOption(exit.cause)) : null)
        )
        const first = yield* addRoot.pipe(Effect.provide(open, { local: true }))
        assert.notInclude(yield* Effect.promise(() => readdir(path)), "lock")
        yield* Effect.scoped(Effect.gen(function*() {
          const other = yield* startOtherProcess([path])
          const refused = yield* openError
          assert.instanceOf(refused, FolderInUse)
          assert.include(String(refused), `in use by process ${other.pid}`)
        }))
        yield* Effect.provide(
          Effect.gen(function*() {
            const roots = yield* rootsOf
            assert.strictEqual(roots.length, 2)
            assert.include(roots, first)
            assert.deepStrictEqual(yield* checkHierarchy, [])
            assert.instanceOf(yield* openError, FolderInUse)
            assert.strictEqual(
              (yield* (yield* PartnerRepository).list(asOperator.scope(yield* addRoot), firstPage)).total,
              1
            )
          }),
          open,
          { local: true }
        )
      }),
    60_000
  )

  it.live("is created with its parents, also concurrently, and reports why it cannot be created", () =>
    Effect.gen(function*() {
      const path = yield* makeTemporaryFolder
      const made = join(path, "a", "b", "c")
      yield* Effect.promise(() => Promise.all([makeFolder(made), makeFolder(made), makeFolder(join(path, "a", "d"))]))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, "a"))), ["b", "d"])
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(made)), [])
      const codeOf = (refused: string) =>
        Effect.promise(() => makeFolder(refused).then(() => "made", ({ code }) => code))
      assert.strictEqual(yield* codeOf("/dev/null/data"), "ENOTDIR")
      if (process.platform === "linux") assert.strictEqual(yield* codeOf("/proc/nowhere/data"), "ENOENT")
    }))

  it.live(
    "C01 is readable by its owner only, with every file, whatever the umask, and after a start of an older one",
    () =>
      Effect.gen(function*() {
        const [created, older] = [join(yield* makeTemporaryFolder, "data"), join(yield* makeTemporaryFolder, "data")]
        const sharedEntries = (path: string) =>
          Effect.promise(async () => {
            const entries = await readdir(path, { recursive: true })
            assert.isAbove(entries.length, 300)
            const modes = await Promise.all(
              [".", ...entries].map(async (entry) => [entry, (await stat(join(path, entry))).mode])
            )
            return modes.flatMap(([entry, mode]) => (Number(mode) & 0o077) === 0 ? [] : [entry])
          })
        yield* writeMigrated(older)
        yield* Effect.promise(async () => {
          const entries = await readdir(older, { recursive: true })
          await Promise.all(entries.map((entry) => chmod(join(older, entry), 0o777)))
          await chmod(older, 0o775)
        })
        yield* startOtherProcess([created, older], "0")
        assert.deepStrictEqual([yield* sharedEntries(created), yield* sharedEntries(older)], [[], []])
      }),
    60_000
  )

  it.live("C01 is refused with a sentence if every user can write to it, or if it belongs to another user", () =>
    Effect.gen(function*() {
      const path = yield* makeTemporaryFolder
      yield* Effect.promise(() => chmod(path, 0o777))
      const refused = yield* Effect.flip(Effect.provide(rootsOf, layerFolder(path), { local: true }))
      assert.instanceOf(refused, FolderExposed)
      assert.include(refused.message, `chmod 700 ${path}`)
      yield* Effect.promise(() => chmod(path, 0o700))
      const other = yield* Effect.promise(() => protectDataFolder(path, 4711))
      assert.match(String(other?.message), /belongs to user \d+, but this process runs as user 4711/)
    }))

  it.live("C01 is refused if it, or an entry of it, is a symbolic link to a place of another user", () =>
    Effect.promise(async () => {
      const own = await mkdtemp(join(tmpdir(), "lastro-own-"))
      const foreign = process.getuid?.() === 0 ? await mkdtemp(join(tmpdir(), "lastro-foreign-")) : "/"
      if (foreign !== "/") await chown(foreign, 4711, 4711)
      const link = async (target: string, path: string) => {
        await symlink(target, path)
        return path
      }
      try {
        const refused = async (path: string) => (await protectDataFolder(path))?.message
        const outside = await link(foreign, join(own, "outside"))
        assert.match(
          String(await refused(outside)),
          /outside is a symbolic link that user \d+ owns or to a place of user/
        )
        const [data, target] = [join(own, "data"), join(own, "target")]
        await Promise.all([data, target].map((folder) => mkdir(folder, { mode: 0o755 })))
        await writeFile(join(target, "file"), "", { mode: 0o644 })
        // A link of this user is accepted: the folder that it names is protected, the target of a further link is not.
        await link(target, join(data, "database"))
        assert.isUndefined(await refused(await link(data, join(own, "inside"))))
        const modes = [data, target, join(target, "file")].map(async (path) => (await stat(path)).mode & 0o777)
        assert.deepStrictEqual(await Promise.all(modes), [0o700, 0o755, 0o644])
        await rm(join(data, "database"))
        await link(foreign, join(data, "database"))
        assert.include(String(await refused(data)), join(data, "database"))
        assert.strictEqual((await stat(foreign)).uid, foreign === "/" ? 0 : 4711)
      } finally {
        await rm(own, { recursive: true })
        if (foreign !== "/") await rm(foreign, { recursive: true })
      }
    }))

  it.live.each(["", "garbage", "999999999 1", `${process.pid} 1`, `1 1`])(
    "takes over a lock that no running process holds: %j",
    (owner) =>
      Effect.gen(function*() {
        const path = yield* makeTemporaryFolder
        yield* Effect.promise(() => writeFile(join(path, "lock"), owner))
        yield* Effect.scoped(Effect.andThen(
          lockFolder(path),
          Effect.promise(async () => {
            assert.include(await readFile(join(path, "lock"), "utf8"), `${process.pid} `)
          })
        ))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [])
      })
  )
})
