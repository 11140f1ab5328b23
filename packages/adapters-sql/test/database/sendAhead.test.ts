import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { compileRead } from "../../src/database/postgres/BoundRead.ts"
import { type BoundStatement, isLean, type LeanClient } from "../../src/database/postgres/LeanClient.ts"
import { compileOnce, sendAhead } from "../../src/database/postgres/statements.ts"
import { PgDatabase } from "../../src/index.ts"
import { databaseOfFile } from "../postgres.ts"

const url = databaseOfFile()

const database = Layer.unwrap(
  Effect.sync(() => PgDatabase.layer({ url: url(), maxConnections: 2, lockTimeout: "300 millis" }))
)

const onPostgres = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.scoped(Effect.provide(test, Layer.fresh(database)))

const stateOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "reason" in error
    ? Reflect.get(Object(Reflect.get(Object(error.reason), "cause")), "code")
    : undefined

/** Makes a table of numbers, in which no number may occur twice. */
const makeTable = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.andThen(sql`drop table if exists number`, sql`create table number (value int primary key)`)
)

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

  it.live("is not sent after the end of its transaction", () =>
    onPostgres(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const late = yield* sql.withTransaction(
        Effect.contextWith((context: Context.Context<never>) =>
          Effect.succeed(Effect.provideContext(sendAhead(sql`insert into number values (1)`), context))
        )
      )
      const error = yield* Effect.flip(late)
      assert.deepStrictEqual([error.reason._tag, yield* numbers], ["ConnectionError", []])
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

type Client = SqlClient.SqlClient & LeanClient
type Make = (sql: SqlClient.SqlClient) => BoundStatement

/** Runs the first statement beside an effect. */
const runWith = <A, E>(first: Make, effect: (sql: Client) => Effect.Effect<A, E>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => isLean(sql) ? sql.runWith<object, A, E, never>(first(sql), effect(sql)) : Effect.die("not lean")
  )

/** The statements that run beside an effect: one that returns a row, and one that returns none. */
const statements: Readonly<Record<string, { readonly one: Make; readonly none: Make }>> = {
  "a statement": {
    one: (sql) =>
      compileOnce(["name", "size"], ({ name, size }) => sql`select ${name}::text as name, ${size}::int as size`)({
        name: "a",
        size: 1
      }),
    none: (sql) => compileOnce(["name"], ({ name }) => sql`select ${name}::text as name where false`)({ name: "a" })
  },
  "a read of bounded cost": {
    one: (sql) =>
      compileRead(
        { name: "text", size: "int" },
        ({ name, size }) => sql`select ${name}::text as name, ${size}::int as size`
      )({ name: "a", size: 1 }),
    none: (sql) =>
      compileRead({ name: "text" }, ({ name }) => sql`select ${name}::text as name where false`)({ name: "a" })
  }
}

/** Runs a compiled statement that returns numbers in descending order. */
const inOrder = (sql: Client, limit: number) =>
  sql.runBound(
    compileOnce(["label", "limit"], ({ label, limit }) =>
      sql`select value, ${label}::text as label from generate_series(1, 4) value order by value desc limit ${limit}::int`)(
        {
          label: "x",
          limit
        }
      )
  )

const runText = (sql: Client, text: string) => sql.runBound(compileOnce([], () => sql`${sql.literal(text)}`)({}))

describe.each(Object.entries(statements))("%s that runs beside an effect", (_, { none, one }) => {
  it.live("returns its row and the result of the effect, whether they have rows or not", () =>
    onPostgres(Effect.gen(function*() {
      const rows = yield* runWith(one, (sql) => inOrder(sql, 3))
      assert.deepInclude(rows[0], { name: "a", size: 1 })
      assert.deepStrictEqual(rows[1].map((row) => [Reflect.get(row, "value"), Reflect.get(row, "label")]), [
        [4, "x"],
        [3, "x"],
        [2, "x"]
      ])
      const [first, second] = yield* runWith(one, (sql) => inOrder(sql, 0))
      assert.deepStrictEqual([first, second], [{ name: "a", size: 1 }, []])
      const [absent, present] = yield* runWith(none, (sql) => inOrder(sql, 1))
      assert.deepStrictEqual([absent, present.length], [null, 1])
      const [no, nothing] = yield* runWith(none, (sql) => inOrder(sql, 0))
      assert.deepStrictEqual([no, nothing], [null, []])
    })))

  it.live("runs whatever the effect runs", () =>
    onPostgres(Effect.gen(function*() {
      const [first, rows] = yield* runWith(
        one,
        (sql) => Effect.all([runText(sql, "select 1 as value"), runText(sql, "select 2 as value")])
      )
      assert.deepStrictEqual(first, { name: "a", size: 1 })
      assert.deepStrictEqual(rows.flat().map((row) => Reflect.get(row, "value")), [1, 2])
      assert.deepStrictEqual(yield* runWith(one, () => Effect.succeed("nothing read")), [
        { name: "a", size: 1 },
        "nothing read"
      ])
    })))

  it.live("is not part of a transaction that the effect begins", () =>
    onPostgres(Effect.gen(function*() {
      yield* makeTable
      const [first] = yield* runWith(
        one,
        (sql) => sql.withTransaction(runText(sql, "insert into number values (1)"))
      )
      assert.deepStrictEqual(first, { name: "a", size: 1 })
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
