// Statements with different errors have one type here.
// @effect-diagnostics anyUnknownInErrorContext:off
import { assert, describe, it } from "@effect/vitest"
import { UnitOfWork } from "@lastro/domain/ports"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseFailure, orDie } from "../../src/database/DatabaseFailure.ts"
import { layer, PgDatabase } from "../../src/index.ts"
import { freshDatabase } from "../postgres.ts"

/** Runs a test on a database without a schema, with three connections. `administer` uses a separate connection. */
const withDatabase = <E>(
  test: (database: {
    readonly url: string
    readonly administer: (...statements: ReadonlyArray<string>) => Effect.Effect<unknown>
  }) => Effect.Effect<void, E, SqlClient.SqlClient | UnitOfWork>,
  connectAs: (url: string) => string = (url) => url
) =>
  Effect.gen(function*() {
    const url = yield* freshDatabase
    const options = { maxConnections: 3, poolTimeout: "2 seconds", lockTimeout: "500 millis" } as const
    const administer = (...statements: ReadonlyArray<string>) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => Effect.forEach(statements, (statement) => orDie(sql.unsafe(statement).unprepared))
      ).pipe(
        Effect.provide(PgDatabase.layer({ url, applicationName: "administrator" }), { local: true }),
        Effect.orDie
      )
    yield* test({ url, administer }).pipe(
      Effect.provide(
        Layer.provideMerge(
          layer,
          Layer.unwrap(Effect.sync(() => PgDatabase.layer({ url: Redacted.make(connectAs(url)), ...options })))
        ),
        { local: true }
      )
    )
  })

const raise = (state: string) => `do $$ begin raise exception using errcode = '${state}'; end $$`

/** The statements that create a table, and a trigger that runs when a transaction that wrote to it commits. */
const runAtCommit = (body: string): ReadonlyArray<string> => [
  "create table item (id int)",
  `create function at_commit() returns trigger language plpgsql as 'begin ${body} end'`,
  "create constraint trigger at_commit after insert on item deferrable initially deferred for each row execute function at_commit()"
]

/** Runs a statement inside a unit of work and outside of one. Returns the tag of the failure and the defect. */
const failBoth = Effect.fnUntraced(function*(statement: string) {
  const sql = yield* SqlClient.SqlClient
  const unit = yield* UnitOfWork
  const run = sql.unsafe(statement).unprepared
  const inside = yield* Effect.exit(unit.atomically(orDie(run)))
  const outside = yield* Effect.exit(orDie(run))
  const defect = Exit.isFailure(outside) ? Cause.squash(outside.cause) : undefined
  assert(defect instanceof DatabaseFailure)
  return { inside: Exit.isFailure(inside) ? Object(Cause.squash(inside.cause)) : undefined, defect }
})

const transient = [
  ["08006", "connection_failure"],
  ["08P01", "protocol_violation"],
  ["25006", "read_only_sql_transaction"],
  ["25P03", "idle_in_transaction_session_timeout"],
  ["26000", "invalid_sql_statement_name"],
  ["40001", "serialization_failure"],
  ["40P01", "deadlock_detected"],
  ["53100", "disk_full"],
  ["53200", "out_of_memory"],
  ["53300", "too_many_connections"],
  ["53400", "configuration_limit_exceeded"],
  ["55P03", "lock_not_available"],
  ["57014", "query_canceled"],
  ["57P01", "admin_shutdown"],
  ["57P02", "crash_shutdown"],
  ["57P03", "cannot_connect_now"]
] as const

const permanent = [
  ["22012", "division_by_zero"],
  ["23514", "check_violation"],
  ["42P01", "undefined_table"],
  ["42501", "insufficient_privilege"],
  ["57000", "operator_intervention"],
  ["XX000", "internal_error"]
] as const

describe.concurrent("an error of PostgreSQL", () => {
  it.live("is Busy inside a unit of work and a transient defect outside of one, if a retry may succeed", () =>
    withDatabase(() =>
      Effect.gen(function*() {
        for (const [state, name] of transient) {
          const { defect, inside } = yield* failBoth(raise(state))
          assert.strictEqual(inside._tag, "Busy", name)
          assert.isAtLeast(inside.retry_after_seconds, 1)
          assert.isTrue(defect.isTransient, name)
          assert.isFalse(defect.isOutcomeUnknown)
          assert.include(defect.message, state)
        }
      })
    ))

  it.live("is a defect if a retry cannot succeed", () =>
    withDatabase(() =>
      Effect.gen(function*() {
        for (const [state, name] of permanent) {
          const { defect, inside } = yield* failBoth(raise(state))
          assert.instanceOf(inside, DatabaseFailure, name)
          assert.isFalse(inside.isTransient, name)
          assert.isFalse(defect.isTransient, name)
        }
      })
    ))

  it.live("of a commit is Busy if the server rolled the transaction back", () =>
    withDatabase(({ administer }) =>
      Effect.gen(function*() {
        yield* administer(...runAtCommit("raise exception using errcode = ''53100'';"))
        const sql = yield* SqlClient.SqlClient
        const failure = yield* Effect.flip((yield* UnitOfWork).atomically(orDie(sql`insert into item values (1)`)))
        assert.strictEqual(failure._tag, "Busy")
        assert.deepStrictEqual(yield* sql`select * from item`, [])
      })
    ))

  it.live("of a commit is an unknown outcome if the server ended the session", () =>
    withDatabase(({ administer }) =>
      Effect.gen(function*() {
        yield* administer(
          ...runAtCommit("perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null;")
        )
        const sql = yield* SqlClient.SqlClient
        const exit = yield* Effect.exit((yield* UnitOfWork).atomically(orDie(sql`insert into item values (1)`)))
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert(defect instanceof DatabaseFailure)
        assert.deepStrictEqual([defect.isOutcomeUnknown, defect.isTransient], [true, false])
        assert.deepStrictEqual(yield* sql`select * from item`, [])
      })
    ))

  it.live("ends with the read-only phase of a database, for all sessions", () =>
    withDatabase(({ administer, url }) =>
      Effect.gen(function*() {
        const name = new URL(url).pathname.slice(1)
        const sql = yield* SqlClient.SqlClient
        const unit = yield* UnitOfWork
        const write = unit.atomically(orDie(sql`insert into item values (1)`))
        const openAll = Effect.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`), { concurrency: 3 })
        yield* administer("create table item (id int)", `alter database ${name} set default_transaction_read_only = on`)
        yield* openAll
        assert.strictEqual((yield* Effect.flip(write))._tag, "Busy")
        yield* openAll
        yield* administer(
          "set default_transaction_read_only = off",
          `alter database ${name} reset default_transaction_read_only`
        )
        // The sessions are replaced at most once a second.
        yield* Effect.sleep("1 second")
        assert.strictEqual((yield* Effect.flip(write))._tag, "Busy", "one session is still read-only")
        yield* Effect.all([write, write, write], { concurrency: 3 })
      })
    ))

  it.live("follows from sessions that an administrator ends, and the next statement succeeds", () =>
    withDatabase(({ administer }) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const unit = yield* UnitOfWork
        const sessions = "pg_stat_activity where datname = current_database() and application_name = 'lastro'"
        const end = `select pg_terminate_backend(pid, 5000) from ${sessions}`
        const endSessions = administer(end)
        const idle = Effect.andThen(sql`select 1`, endSessions)
        yield* idle
        // Gives the client time to notice the closed connections.
        yield* Effect.sleep("100 millis")
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
        const inTransaction = unit.atomically(
          Effect.andThen(orDie(sql`select 1`), Effect.andThen(endSessions, orDie(sql`select 2`)))
        )
        assert.strictEqual((yield* Effect.flip(inTransaction))._tag, "Busy")
        const inStatement = unit.atomically(orDie(sql`select pg_sleep(5)`))
        const awaitStatement = `do $$ begin
          while not exists (select from ${sessions} and state = 'active' and query like '%pg_sleep%') loop
            perform pg_sleep(0.01), pg_stat_clear_snapshot();
          end loop;
        end $$`
        const [failure] = yield* Effect.all([Effect.flip(inStatement), administer(awaitStatement, end)], {
          concurrency: 2
        })
        assert.strictEqual(failure._tag, "Busy")
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
      })
    ))

  it.live("follows from too many connections, and the statements that find one succeed", () =>
    withDatabase(({ administer }) =>
      Effect.gen(function*() {
        yield* administer("drop role if exists lastro_limited")
        yield* administer("create role lastro_limited login password 'limited' connection limit 1")
        const sql = yield* SqlClient.SqlClient
        const [held, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* Effect.forkChild(orDie(sql.withTransaction(
          sql`select 1`.pipe(Effect.andThen(Deferred.succeed(held, undefined)), Effect.andThen(Deferred.await(end)))
        )))
        yield* Deferred.await(held)
        const other = Effect.exit(orDie(sql`select 2`))
        for (const exit of yield* Effect.all([other, other], { concurrency: 2 })) {
          assert(Exit.isFailure(exit), "one connection is allowed")
          const defect = Cause.squash(exit.cause)
          assert(defect instanceof DatabaseFailure)
          assert.include(defect.message, "53300")
          assert.isTrue(defect.isTransient)
        }
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(holder)
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
      }), (url) => {
      const limited = new URL(url)
      limited.username = "lastro_limited"
      limited.password = "limited"
      return limited.href
    }))
})

describe("the message of a failed statement", () => {
  it.live("names the SQLSTATE, the verb and the table for a port of the host, and no value", () =>
    withDatabase(() =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const unit = yield* UnitOfWork
        yield* sql`create table shop_order (id int primary key, cpf text check (length(cpf) < 12))`
        const cpf = "529.982.247-25"
        const statements: ReadonlyArray<readonly [statement: Effect.Effect<unknown, unknown>, message: string]> = [
          [sql`select * from missing where cpf = ${cpf}`, "42P01 (select, table missing)"],
          [sql`insert into shop_order values (1, ${cpf})`, "23514 (insert, table shop_order)"],
          [sql`update shop_order set cpf = ${cpf}, other = 1`, "42703 (update, table shop_order)"],
          [
            sql.unsafe(`delete from public.shop_order where cpf = '${cpf} from x' and id = 'y'`),
            "22P02 (delete, table public.shop_order)"
          ],
          [sql.unsafe(`select '${cpf} from x'::int`), "22P02 (select)"],
          [sql`insert into shop_order values (1, ${cpf})`.values, "23514 (insert, table shop_order)"]
        ]
        for (const [statement, location] of statements) {
          const failure = yield* Effect.flip(statement)
          const message = `The statement failed with SQLSTATE ${location}`
          assert.strictEqual(Object(failure).message, message)
          // A port of the host turns the failure into a defect. In a unit of work, it becomes a DatabaseFailure.
          const exit = yield* Effect.exit(unit.atomically(Effect.orDie(statement)))
          const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
          assert.instanceOf(defect, DatabaseFailure)
          assert.include(defect.message, location.replace(/^\w+ \((.*)\)$/, "statement $1"))
          assert.notInclude(`${message} ${defect.message} ${defect.stack}`, "529")
        }
      })
    ))
})
