import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Deferred, Duration, Effect, Exit, Fiber, Latch, Layer, Queue, Scheduler, Scope } from "effect"
import { SqlError } from "effect/sql"
import { isLean } from "../../src/database/postgres/LeanClient.ts"
import { PgDatabase } from "../../src/index.ts"
import { databaseOfFile } from "../postgres.ts"
import { type Proxy, startProxy } from "../proxy.ts"

const database = databaseOfFile()

/** Connects with three connections. A response may take 2.5 s, and every other wait 1 s. */
const connect = (url: string, options: Partial<PgDatabase.PgOptions> = {}) =>
  Effect.map(
    Layer.build(Layer.fresh(PgDatabase.layer({
      url,
      maxConnections: 3,
      statementTimeout: "500 millis",
      poolTimeout: "1 second",
      connectTimeout: "1 second",
      ...options
    }))),
    (context) => Context.get(context, PgClient.PgClient)
  )

/** Runs a test with a client behind a proxy. */
const behindProxy = <E>(
  test: (proxy: Proxy, sql: PgClient.PgClient) => Effect.Effect<void, E | SqlError.SqlError, Scope.Scope>
) =>
  Effect.gen(function*() {
    const proxy = yield* startProxy(database())
    yield* test(proxy, yield* connect(proxy.url))
  })

/** Runs an effect that must fail with a connection error within this time. The bound leaves room for a slow machine. */
const failsWithin = <A>(effect: Effect.Effect<A, SqlError.SqlError>, limit: Duration.Input) =>
  Effect.gen(function*() {
    const [elapsed, exit] = yield* Effect.timed(Effect.exit(effect))
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : "no failure"
    assert.strictEqual(SqlError.isSqlError(error) ? error.reason._tag : error, "ConnectionError")
    assert.isBelow(Duration.toMillis(elapsed), Duration.toMillis(limit))
  })

const openAll = (sql: PgClient.PgClient) =>
  Effect.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`], { concurrency: 3 })

/** Runs a piece of work whose fiber yields after a number of steps, and interrupts it there. */
const interruptAt = (work: Effect.Effect<unknown, SqlError.SqlError>, steps: number) =>
  Effect.gen(function*() {
    const limited = Effect.provideService(work, Scheduler.MaxOpsBeforeYield, steps)
    yield* Fiber.interrupt(yield* Effect.forkChild(limited, { startImmediately: true }))
  })

/** The numbers of steps after which the work of the following tests is interrupted. */
const steps = Array.from({ length: 57 }, (_, index) => index + 4)

it.live("an interrupted statement or transaction keeps no connection, wherever the interruption comes", () =>
  Effect.gen(function*() {
    const sql = yield* connect(database(), { maxConnections: 1 })
    // Within an open transaction, `now()` does not change.
    const now = Effect.map(sql<{ readonly at: string }>`select now()::text as at`, ([row]) => row?.at)
    for (const work of [sql`select 1`, sql.withTransaction(sql`select 1`), Effect.scoped(sql.reserve)]) {
      // In the first round, the pool opens a connection each time. In the second one, it lends an idle one.
      for (const _ of [1, 2]) {
        yield* Effect.forEach(steps, (count) => interruptAt(work, count))
        assert.notStrictEqual(yield* now, yield* now)
      }
    }
  }))

it.live("an interrupted call does not keep the client of the host, wherever the interruption comes", () =>
  Effect.gen(function*() {
    const sql = yield* connect("postgres://nobody@127.0.0.1:1/none")
    if (!isLean(sql)) return yield* Effect.die("The client is not that of Lastro")
    const { runForHost } = sql.within({ query: () => Promise.resolve({ rowCount: 1, rows: [{ one: 1 }] }) })
    const call = runForHost("select 1 as one", [])
    yield* Effect.forEach(steps, (count) => interruptAt(call, count))
    assert.deepStrictEqual(yield* call, { rowCount: 1, rows: [{ one: 1 }] })
  }))

describe.concurrent("T59 on a network that swallows packets", () => {
  it.live("a statement, a begin, a commit and a rollback end, and their connections are replaced", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        yield* openAll(sql)
        const silence = Effect.sync(() => proxy.swallow("open"))
        yield* Effect.all([
          failsWithin(Effect.andThen(silence, sql`select 1`), "8 seconds"),
          failsWithin(sql.withTransaction(sql`select 1`), "8 seconds"),
          failsWithin(sql.withTransaction(Effect.andThen(silence, sql`select 1`)), "8 seconds")
        ], { concurrency: 3 })
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
      })
    ))

  it.live("a lost commit fails with an unknown outcome", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        const work = Effect.andThen(sql`create table made (id int)`, Effect.sync(() => proxy.swallow("open")))
        const error = yield* Effect.flip(sql.withTransaction(work))
        assert.strictEqual(error.reason.cause instanceof Error ? error.reason.cause.name : "", "CommitOutcomeUnknown")
      })
    ))

  it.live("the idle connections are replaced together with the silent one", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        yield* openAll(sql)
        proxy.swallow("open")
        yield* failsWithin(sql`select 1`, "8 seconds")
        // A statement on another silent connection would fail.
        yield* openAll(sql)
      })
    ))

  it.live("a wait for a connection and an attempt to connect end", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        proxy.swallow()
        yield* failsWithin(sql`select 1`, "8 seconds")
        yield* Effect.all(Array.from({ length: 12 }, () => failsWithin(sql`select 1`, "8 seconds")), {
          concurrency: "unbounded"
        })
        proxy.heal()
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
      })
    ))

  it.live("the queue of a listener fails", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        const notifications = yield* sql.listen("news")
        yield* sql.notify("news", "first")
        assert.strictEqual((yield* Queue.take(notifications)).payload, "first")
        proxy.swallow("open")
        yield* failsWithin(Queue.take(notifications), "20 seconds")
      })
    ), 30_000)

  it.live("closing the client waits for no connection", () =>
    Effect.gen(function*() {
      const proxy = yield* startProxy(database())
      const scope = yield* Scope.make()
      const sql = yield* Scope.provide(connect(proxy.url, { statementTimeout: "1 minute" }), scope)
      yield* Scope.provide(sql.listen("news"), scope)
      yield* Effect.forkChild(sql.withTransaction(Effect.andThen(sql`select 1`, Effect.never)))
      yield* Effect.forkChild(Effect.ignore(sql`select pg_sleep(30)`))
      yield* Effect.sleep("200 millis")
      proxy.swallow()
      const [elapsed] = yield* Effect.timed(Scope.close(scope, Exit.void))
      assert.isBelow(Duration.toMillis(elapsed), 5_000)
    }))

  it.live("an interrupted statement ends, and its connection is replaced", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        yield* openAll(sql)
        proxy.swallow("open")
        const [elapsed] = yield* Effect.timed(Effect.timeoutOption(sql`select 1`, "100 millis"))
        assert.isBelow(Duration.toMillis(elapsed), 4_000)
        proxy.heal()
        yield* openAll(sql)
      })
    ))
})

describe.concurrent("a client of PostgreSQL", () => {
  it.live("fails after the pool timeout while all connections are in use, and succeeds once one is free", () =>
    behindProxy((_, sql) =>
      Effect.gen(function*() {
        const free = yield* Deferred.make<void>()
        const taken = yield* Latch.make(false)
        const hold = sql.withTransaction(Effect.andThen(taken.open, Deferred.await(free)))
        const held = yield* Effect.forkChild(Effect.all([hold, hold, hold], { concurrency: 3 }))
        yield* taken.await
        yield* failsWithin(sql`select 1`, "8 seconds")
        const waiting = yield* Effect.forkChild(sql`select 1 as one`)
        yield* Effect.sleep("200 millis")
        yield* Deferred.succeed(free, undefined)
        assert.deepStrictEqual(yield* Fiber.join(waiting), [{ one: 1 }])
        yield* Fiber.join(held)
      })
    ))

  it.live("a statement that a slow network delays succeeds", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        yield* openAll(sql)
        proxy.delay(300)
        assert.deepStrictEqual(yield* sql.withTransaction(sql`select 1 as one`), [{ one: 1 }])
      })
    ))

  it.live("opens new connections after all were closed", () =>
    behindProxy((proxy, sql) =>
      Effect.gen(function*() {
        yield* openAll(sql)
        proxy.cut()
        yield* Effect.retry(openAll(sql), { times: 1 })
        assert.strictEqual(proxy.connections(), 3)
      })
    ))

  it.live("a transaction that changes statement_timeout may exceed the deadline of a statement", () =>
    behindProxy((_, sql) =>
      Effect.gen(function*() {
        const long = Effect.andThen(sql`set local statement_timeout = 0`, sql`select pg_sleep(3)`)
        yield* sql.withTransaction(long)
      })
    ))
})
