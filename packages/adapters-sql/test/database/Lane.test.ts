import { type PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Deferred, type Duration, Effect, Exit, Fiber, Layer, Schedule, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import fc from "fast-check"
import { sqlStateOf } from "../../src/database/client/sqlErrors.ts"
import { precompileRead } from "../../src/database/postgres/BoundRead.ts"
import { PgDatabase } from "../../src/index.ts"
import { freshDatabase } from "../postgres.ts"
import { type Proxy, startProxy } from "../proxy.ts"

type Client = SqlClient.SqlClient

/** Runs a test with a client that has four connections, behind a proxy. */
const onPostgres = <E>(
  test: (sql: Client, proxy: Proxy) => Effect.Effect<void, E, Scope.Scope>,
  statementTimeout: Duration.Input = "20 seconds"
) =>
  Effect.gen(function*() {
    const proxy = yield* startProxy(yield* freshDatabase)
    const database = PgDatabase.layer({
      url: proxy.url,
      maxConnections: 4,
      statementTimeout,
      lockTimeout: "20 seconds"
    })
    const context: Context.Context<PgClient.PgClient | Client> = yield* Layer.build(Layer.fresh(database))
    yield* test(Context.get(context, SqlClient.SqlClient), proxy)
  })

/** Starts effects in one turn of the event loop. */
const startAll = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.forEach(effects, (effect) => Effect.forkChild(effect, { startImmediately: true }))

const whereOf = (sql: Client) =>
  precompileRead(
    sql,
    { name: "text" },
    ({ name }) =>
      sql<{ readonly name: string; readonly process: number; readonly at: string }>`
      select ${name}::text as name, pg_backend_pid() as process, statement_timestamp()::text as at`
  )

/** A read of another shape than {@link whereOf}, which waits while another connection holds an advisory lock. */
const lockedOf = (sql: Client) =>
  precompileRead(sql, { key: "int" }, ({ key }) =>
    sql<{ readonly key: number; readonly process: number }>`
      select ${key}::int as key, pg_backend_pid() as process, pg_advisory_xact_lock_shared(7)::text as lock`)

/** Runs an effect while another connection holds the lock of {@link lockedOf}. The effect gets a function that releases it. */
const whileLocked = <A, E, R>(sql: Client, use: (release: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const [locked, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const holder = yield* Effect.forkChild(sql.withTransaction(
      Effect.andThen(
        sql`select pg_advisory_xact_lock(7)`,
        Effect.andThen(Deferred.done(locked, Exit.void), Deferred.await(released))
      )
    ))
    yield* Deferred.await(locked)
    const release = Effect.andThen(Deferred.done(released, Exit.void), Fiber.await(holder))
    return yield* use(Effect.asVoid(release))
  })

const reasonOf = (exit: Exit.Exit<unknown, SqlError.SqlError>): string =>
  Exit.match(exit, {
    onSuccess: () => "success",
    onFailure: (cause) => (Cause.squash(cause) as SqlError.SqlError).reason._tag
  })

describe("reads of bounded cost", () => {
  it.live("share one execution if they become ready in the same turn, and one connection if their shapes differ", () =>
    onPostgres((sql) =>
      Effect.gen(function*() {
        const [where, locked] = [whereOf(sql), lockedOf(sql)]
        const names = Array.from({ length: 40 }, (_, index) => `name ${index}`)
        const [first, other] = yield* Effect.all([
          Effect.all(names.map((name) => where({ name })), { concurrency: "unbounded" }),
          locked({ key: 1 })
        ], { concurrency: "unbounded" })
        const rows = first.flat()
        assert.deepStrictEqual(rows.map(({ name }) => name), names)
        assert.strictEqual(new Set(rows.map(({ at }) => at)).size, 1)
        assert.deepStrictEqual(new Set([...rows, ...other].map(({ process }) => process)).size, 1)
      })
    ))

  it.live(
    "return the same as one statement for each read, whatever the others are and whatever happens to them",
    () =>
      onPostgres((sql) =>
        Effect.gen(function*() {
          const texts = ["a", "B", "", "NULL", `"`, "\\", `{a,b}`, "ã'é", "bad"]
          yield* sql`create table item (id text primary key, owner text not null)`
          yield* Effect.forEach(texts, (id, index) => sql`insert into item values (${id}, ${texts[index % 3]})`)
          const find = (id: unknown, owner: unknown) =>
            sql`select item.id, item.owner = ${owner} as inside, 1 / (case item.id when 'bad' then 0 else 1 end) as one
            from item where item.id = ${id}`
          const list = (owner: unknown, size: unknown) =>
            sql`select item.id from item where item.owner = ${owner} order by item.id desc limit ${size}`
          const [findRead, listRead] = [
            precompileRead(sql, { id: "text", owner: "text" }, ({ id, owner }) => find(id, owner)),
            precompileRead(sql, { owner: "text", size: "int" }, ({ owner, size }) => list(owner, size))
          ]
          const resultOf = (exit: Exit.Exit<ReadonlyArray<object>, SqlError.SqlError>) =>
            Exit.match(exit, {
              onSuccess: (rows) => rows,
              onFailure: (cause) => sqlStateOf(Cause.squash(cause) as SqlError.SqlError)
            })
          const text = fc.constantFrom(...texts, null)
          const read = fc.record({
            id: text,
            owner: text,
            size: fc.integer({ min: 0, max: 4 }),
            isFind: fc.boolean(),
            isInterrupted: fc.boolean()
          })
          const check = (reads: ReadonlyArray<typeof read extends fc.Arbitrary<infer One> ? One : never>) =>
            Effect.gen(function*() {
              const fibers = yield* startAll(
                reads.map(({ id, isFind, owner, size }): Effect.Effect<ReadonlyArray<object>, SqlError.SqlError> =>
                  isFind ? findRead({ id, owner }) : listRead({ owner, size })
                )
              )
              const lasting = reads.flatMap((one, index) => one.isInterrupted ? [] : [[one, fibers[index]] as const])
              yield* Effect.forEach(
                fibers,
                (fiber, index) => reads[index]?.isInterrupted === true ? Fiber.interrupt(fiber) : Effect.void
              )
              for (const [{ id, isFind, owner, size }, fiber] of lasting) {
                const alone = yield* Effect.exit(isFind ? find(id, owner) : list(owner, size))
                assert.deepStrictEqual(resultOf(yield* Fiber.await(fiber!)), resultOf(alone))
              }
            })
          const context = yield* Effect.context<Scope.Scope>()
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                fc.array(read, { maxLength: 100 }),
                (reads) => Effect.runPromiseWith(context)(check(reads))
              ),
              { numRuns: 20 }
            )
          )
        })
      ),
    60_000
  )

  it.live("see every change that was committed before", () =>
    onPostgres((sql) =>
      Effect.gen(function*() {
        yield* sql`create table item (id int primary key)`
        const find = precompileRead(sql, { id: "int" }, ({ id }) => sql`select item.id from item where item.id = ${id}`)
        const insertAndFind = (id: number) => Effect.andThen(sql`insert into item values (${id})`, find({ id }))
        const found = yield* Effect.forEach(Array.from({ length: 60 }, (_, id) => id), insertAndFind, {
          concurrency: 3
        })
        assert.deepStrictEqual(found, Array.from({ length: 60 }, (_, id) => [{ id }]))
      })
    ))

  it.live("do not wait for a slow shape, whose reads use one connection at most", () =>
    onPostgres((sql) =>
      whileLocked(sql, (release) =>
        Effect.gen(function*() {
          const [where, locked] = [whereOf(sql), lockedOf(sql)]
          const slow: Array<Fiber.Fiber<unknown, SqlError.SqlError>> = yield* startAll([locked({ key: 0 })])
          // Its departure leaves the lane before this sleep ends.
          yield* Effect.sleep("100 millis")
          // Of the four connections, one holds the lock.
          for (let key = 1; key < 12; key++) {
            slow.push(...yield* startAll([locked({ key })]))
            assert.deepStrictEqual((yield* where({ name: "fast" })).map(({ name }) => name), ["fast"])
          }
          assert.deepStrictEqual(slow.map((fiber) => fiber.pollUnsafe()), slow.map(() => undefined))
          yield* release
          yield* Effect.forEach(slow, Fiber.join)
        }))
    ))
})

describe("T59 a connection that fails while 32 reads are in progress", () => {
  /** The sessions that wait for the lock. */
  const waiting = `select pid from pg_locks join pg_database one on one.oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`

  const reads = Array.from({ length: 32 }, (_, key) => key)

  const reasonsOf = (fibers: ReadonlyArray<Fiber.Fiber<unknown, SqlError.SqlError>>) =>
    Effect.map(Effect.forEach(fibers, Fiber.await), (exits) => [...new Set(exits.map(reasonOf))])

  /** Runs 32 reads on one connection, which then fails. Returns the reasons of their failures. */
  const failReads = (sql: Client, fail: Effect.Effect<unknown, SqlError.SqlError>) =>
    whileLocked(sql, (release) =>
      Effect.gen(function*() {
        const locked = lockedOf(sql)
        const fibers = yield* startAll(reads.map((key) => locked({ key })))
        yield* Effect.repeat(sql.unsafe(waiting), {
          until: (rows) => rows.length > 0,
          schedule: Schedule.spaced("5 millis")
        })
        yield* fail
        const reasons = yield* reasonsOf(fibers)
        yield* release
        return reasons
      }))

  const works = (sql: Client) =>
    Effect.gen(function*() {
      const where = whereOf(sql)
      assert.deepStrictEqual(yield* reasonsOf(yield* startAll(reads.map((key) => where({ name: `${key}` })))), [
        "success"
      ])
    })

  it.live("loses only its own reads if its session is terminated", () =>
    onPostgres((sql) =>
      Effect.gen(function*() {
        const terminate = sql.unsafe(`select pg_terminate_backend(pid) from (${waiting}) one`)
        assert.deepStrictEqual(yield* failReads(sql, terminate), ["ConnectionError"])
        yield* works(sql)
      })
    ))

  it.live("loses only its own reads if it freezes", () =>
    onPostgres((sql, proxy) =>
      Effect.gen(function*() {
        const where = whereOf(sql)
        yield* where({ name: "opens a connection" })
        proxy.swallow("open")
        const fibers = yield* startAll(reads.map((key) => where({ name: `${key}` })))
        assert.deepStrictEqual(yield* reasonsOf(fibers), ["ConnectionError"])
        yield* works(sql)
      }), "500 millis"), 20_000)

  it.live("loses only its own reads if it sends garbage", () =>
    onPostgres((sql, proxy) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* failReads(sql, Effect.sync(proxy.garble)), ["ConnectionError"])
        yield* works(sql)
      })
    ))
})
