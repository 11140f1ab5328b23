import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { sendAhead } from "../../src/database/postgres/sendAhead.ts"
import { sendTogether } from "../../src/database/sendTogether.ts"
import { PgDatabase } from "../../src/index.ts"
import { freshDatabase } from "../postgres.ts"

const database = Layer.unwrap(
  Effect.map(freshDatabase, (url) => PgDatabase.layer({ url, maxConnections: 2, lockTimeout: "300 millis" }))
)

const onPostgres = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.scoped(Effect.provide(test, Layer.fresh(database)))

const stateOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "reason" in error
    ? Reflect.get(Object(Reflect.get(Object(error.reason), "cause")), "code")
    : undefined

/** Makes a table of numbers, in which no number may occur twice. */
const makeTable = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create table number (value int primary key)`)

const numbers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly value: number }>`select value from number order by value`,
    (rows) => rows.map(({ value }) => value)
  ))

describe("a statement that is sent ahead", () => {
  it.live("is seen by the statements after it, and is committed", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const seen = yield* sql.withTransaction(Effect.gen(function*() {
        for (const value of [1, 2, 3]) yield* sendAhead(sql`insert into number values (${value})`)
        return yield* numbers
      }))
      assert.deepStrictEqual(seen, [1, 2, 3])
      yield* sql.withTransaction(sendAhead(sql`insert into number values (4)`))
      assert.deepStrictEqual(yield* numbers, [1, 2, 3, 4])
    })))

  it.live("fails the next statement with its own error, or the commit, and nothing is committed", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      yield* sql`insert into number values (1)`
      const fails = Effect.andThen(sql`insert into number values (2)`, sendAhead(sql`insert into number values (1)`))
      const next = yield* Effect.flip(sql.withTransaction(Effect.andThen(fails, sql`select 1`)))
      const commit = yield* Effect.flip(sql.withTransaction(fails))
      assert.deepStrictEqual([stateOf(next), stateOf(commit)], ["23505", "23505"])
      assert.deepStrictEqual(yield* numbers, [1])
    })))

  it.live("can fail a transaction that fails for another reason, without hiding that reason", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const fails = sendAhead(sql`insert into nowhere values (1)`)
      const failed = yield* Effect.result(sql.withTransaction(Effect.andThen(fails, Effect.fail("my reason"))))
      assert.deepStrictEqual(failed, Result.fail("my reason"))
      assert.deepStrictEqual(yield* numbers, [])
    })))

  it.live("is rolled back with its savepoint", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const inner = (value: number) =>
        sql.withTransaction(Effect.andThen(sendAhead(sql`insert into number values (${value})`), numbers))
      const outer = Effect.gen(function*() {
        yield* inner(1)
        yield* Effect.ignore(sql.withTransaction(Effect.andThen(inner(2), Effect.fail("undone"))))
        yield* Effect.ignore(inner(1))
        yield* inner(3)
      })
      yield* sql.withTransaction(outer)
      assert.deepStrictEqual(yield* numbers, [1, 3])
    })))

  it.live("waits for its response outside of a transaction", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      yield* sendAhead(sql`insert into number values (1)`)
      const error = yield* Effect.flip(sendAhead(sql`insert into number values (1)`))
      assert.strictEqual(stateOf(error), "23505")
    })))
})

describe("two reads that are sent together", () => {
  it.live("return both results, and use one connection", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const pid = Effect.orDie(Effect.map(
        sql<{ readonly pid: number }>`select pg_backend_pid() as pid`,
        ([row]) => row?.pid
      ))
      const [first, second] = yield* sendTogether(sql, pid, pid)
      assert.isNumber(first)
      assert.strictEqual(second, first)
    })))

  it.live("do not affect the transactions of the second one", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const write = Effect.orDie(sql.withTransaction(sql`insert into number values (1)`))
      yield* sendTogether(sql, Effect.orDie(sql`select 1`), write)
      assert.deepStrictEqual(yield* numbers, [1])
    })))
})

describe("an interrupted statement", () => {
  it.live("T59 is cancelled on the server, and its locks are released", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const slow = sql.withTransaction(Effect.andThen(sql`lock table number`, sql`select pg_sleep(60)`))
      const fiber = yield* Effect.forkChild(slow)
      yield* Effect.sleep("200 millis")
      yield* Fiber.interrupt(fiber)
      // The lock timeout is 0.3 s, so each attempt fails while the lock is held.
      yield* Effect.retry(sql`insert into number values (1)`, { times: 20 })
      assert.deepStrictEqual(yield* numbers, [1])
    })))
})
