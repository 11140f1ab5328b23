import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Cause, Context, Duration, Effect, Exit, Fiber, Layer, Option, Schedule } from "effect"
import { type SqlError } from "effect/sql"
import { connectionFailureOf, PgDatabase } from "../../src/index.ts"
import { copyAsStandby, openServers } from "../standby.ts"

const settings = {
  fsync: "off",
  max_connections: "30",
  shared_buffers: "16MB",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

type Row = Readonly<Record<string, unknown>>

/** The time between two looks at a server. Each look opens a connection. */
const pause = Schedule.spaced("20 millis")

/** A primary and its synchronous standby. */
class Pair extends Context.Service<Pair, {
  readonly primary: number
  readonly standby: number
  readonly freeze: (port: number) => Effect.Effect<void>
  readonly thaw: (port: number) => Effect.Effect<void>
  /** Runs a statement on one server as the superuser. */
  readonly on: (port: number, statement: string) => Effect.Effect<ReadonlyArray<Row>>
}>()("@lastro/adapters-sql/test/database/hosts.test/Pair") {}

/** Connects with several hosts. */
const connect = (ports: ReadonlyArray<number>, parameters = "", options: Partial<PgDatabase.PgOptions> = {}) =>
  Effect.map(
    Layer.build(Layer.fresh(PgDatabase.layer({
      url: `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres${parameters}`,
      maxConnections: 3,
      ...options
    }))),
    (context) => Context.get(context, PgClient.PgClient)
  )

const layerPair = Layer.effect(
  Pair,
  Effect.gen(function*() {
    const { host, start } = yield* openServers(settings)
    const primary = yield* start("0")
    const on = (port: number, statement: string) =>
      Effect.scoped(Effect.flatMap(
        connect([port], "?target_session_attrs=any", { maxConnections: 1 }),
        (sql) => sql.unsafe<Row>(statement)
      )).pipe(Effect.orDie)
    yield* copyAsStandby(
      host,
      { url: `postgres://postgres@127.0.0.1:${primary.port}/postgres`, port: primary.port, data: "0" },
      "1"
    )
    const standby = yield* start("1")
    const all = [primary, standby]
    const signal = (name: NodeJS.Signals) => (port: number) =>
      Effect.sync(() => all.find((one) => one.port === port)?.signal(name))
    yield* on(primary.port, "create table made (name text)")
    yield* on(primary.port, "alter system set synchronous_standby_names = 'standby'")
    yield* on(primary.port, "select pg_reload_conf()")
    yield* Effect.repeat(on(primary.port, "select from pg_stat_replication where sync_state = 'sync'"), {
      until: (rows) => rows.length === 1,
      schedule: pause
    })
    return Pair.of({
      primary: primary.port,
      standby: standby.port,
      freeze: signal("SIGSTOP"),
      thaw: signal("SIGCONT"),
      on
    })
  })
)

const portOf = (sql: PgClient.PgClient) =>
  Effect.map(sql<{ readonly port: number }>`select inet_server_port() as port`, ([row]) => row?.port)

const messageOf = (error: SqlError.SqlError) => connectionFailureOf(error)?.message

/** The host that refuses connections. */
const nowhere = 1

it.layer(layerPair, { excludeTestServices: true, timeout: "1 minute" })("a client with several hosts", (it) => {
  it.effect("uses the first host in the state that target_session_attrs requires, by default the primary", () =>
    Effect.gen(function*() {
      const { primary, standby } = yield* Pair
      for (
        const [hosts, parameters, expected] of [
          [[standby, primary], "", primary],
          [[nowhere, standby, primary], "", primary],
          [[standby, primary], "?target_session_attrs=primary", primary],
          [[primary, standby], "?target_session_attrs=standby", standby],
          [[primary, standby], "?target_session_attrs=read-only", standby],
          [[primary, standby], "?target_session_attrs=prefer-standby", standby],
          [[primary, nowhere], "?target_session_attrs=prefer-standby", primary],
          [[standby, primary], "?target_session_attrs=any", standby]
        ] as const
      ) assert.strictEqual(yield* portOf(yield* connect(hosts, parameters)), expected, `${parameters} ${hosts}`)
    }))

  it.effect("fails with the reason of each host", () =>
    Effect.gen(function*() {
      const { primary, standby } = yield* Pair
      const standbyText =
        `The database at 127.0.0.1:${standby} is a standby, which accepts no writes. Connect to the primary.`
      const failure = (hosts: ReadonlyArray<number>, parameters = "") =>
        Effect.flatMap(connect(hosts, parameters), (sql) => Effect.flip(sql`select 1`))
      assert.strictEqual(messageOf(yield* failure([standby])), standbyText)
      assert.strictEqual(
        messageOf(yield* failure([nowhere, standby])),
        "No host accepts a session with target_session_attrs=read-write. Nothing accepts connections at 127.0.0.1:1. " +
          `Check the host and the port, and start the database. ${standbyText}`
      )
      assert.strictEqual(connectionFailureOf(yield* failure([nowhere, standby]))?.problem, "read_only")
      assert.strictEqual(
        messageOf(yield* failure([primary], "?target_session_attrs=standby")),
        `The database at 127.0.0.1:${primary} is not a standby, but target_session_attrs is standby.`
      )
      assert.strictEqual(
        messageOf(
          yield* failure([primary], "?target_session_attrs=read-write&options=-c%20default_transaction_read_only%3Don")
        ),
        `The database at 127.0.0.1:${primary} accepts no writes, because default_transaction_read_only is on. Set it to off.`
      )
    }))

  it.effect("replaces its sessions when the server reports that they became read-only", () =>
    Effect.gen(function*() {
      const { on, primary } = yield* Pair
      const sql = yield* connect([primary], "?target_session_attrs=read-write")
      const pid = Effect.map(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`, ([row]) => row?.pid)
      const before = yield* pid
      yield* on(primary, "alter system set default_transaction_read_only = on")
      yield* on(primary, "select pg_reload_conf()")
      const error = yield* Effect.flip(Effect.repeat(pid, { while: (now) => now === before }))
      assert.strictEqual(connectionFailureOf(error)?.problem, "read_only")
      yield* on(primary, "alter system reset default_transaction_read_only")
      yield* on(primary, "select pg_reload_conf()")
      yield* Effect.eventually(pid)
    }))

  it.effect("acknowledges no commit that the synchronous standby has not confirmed, and cancels none", () =>
    Effect.gen(function*() {
      const { freeze, on, primary, standby, thaw } = yield* Pair
      const sql = yield* connect([primary, standby], "", { statementTimeout: "2 seconds" })
      const stored = Effect.map(on(primary, "select name from made"), (rows) => rows.map(({ name }) => name))
      const waits = (count: number) =>
        Effect.repeat(on(primary, "select pid from pg_stat_activity where wait_event = 'SyncRep' order by pid"), {
          until: (rows) => rows.length === count,
          schedule: pause
        })
      const isUnknown = (exit: Exit.Exit<unknown, SqlError.SqlError>) => {
        const error = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
        return error?.reason.cause instanceof Error && error.reason.cause.name === "CommitOutcomeUnknown"
      }
      yield* freeze(standby)

      // The run time of a commit is not limited by statement_timeout, and an interrupted commit is not canceled.
      yield* Effect.timeoutOption(sql`insert into made values ('interrupted')`, "500 millis")
      yield* Effect.timeoutOption(
        sql.withTransaction(sql`insert into made values ('interrupted commit')`),
        "500 millis"
      )
      yield* Effect.sleep("2500 millis")
      assert.lengthOf(yield* waits(2), 2)
      assert.deepStrictEqual(yield* stored, [])

      for (
        const insert of [
          sql`insert into made values ('canceled')`,
          sql.withTransaction(sql`insert into made values ('canceled commit')`)
        ]
      ) {
        const waiting = new Set((yield* waits(2)).map(({ pid }) => pid))
        const inserting = yield* Effect.forkChild(insert)
        const other = (yield* waits(3)).find(({ pid }) => !waiting.has(pid))
        yield* on(primary, `select pg_cancel_backend(${String(other?.["pid"])})`)
        assert.isTrue(isUnknown(yield* Fiber.await(inserting)))
      }
      yield* thaw(standby)
      yield* waits(0)
      assert.lengthOf(yield* stored, 4)
    }))

  it.effect("follows the new primary within seconds when the former one is frozen, and does not return to it", () =>
    Effect.gen(function*() {
      const { freeze, on, primary, standby, thaw } = yield* Pair
      const sql = yield* connect([primary, standby])
      const other = yield* connect([primary, standby], "", { applicationName: "jobs" })
      assert.strictEqual(yield* portOf(other), primary)
      const ports = Effect.all([portOf(sql), portOf(sql), portOf(sql)], { concurrency: 3 })
      assert.deepStrictEqual(yield* ports, [primary, primary, primary])
      yield* freeze(primary)
      const silent = yield* Effect.forkChild(Effect.exit(sql`select 1`))
      yield* Effect.sleep("2 seconds")
      const [elapsed] = yield* Effect.timed(Effect.gen(function*() {
        yield* on(standby, "select pg_promote()")
        assert.isTrue(Exit.isFailure(yield* Fiber.join(silent)))
        assert.deepStrictEqual(yield* ports, [standby, standby, standby])
      }))
      // Without a search, the silent statement would end after 12 s.
      assert.isBelow(Duration.toMillis(elapsed), 8_000)

      yield* thaw(primary)
      // The other client has sent nothing meanwhile, and its session with the former primary was alive.
      assert.strictEqual(yield* portOf(other), standby)
      const former = yield* connect([primary, standby])
      assert.deepStrictEqual(
        yield* Effect.all(Array.from({ length: 3 }, () => portOf(former)), { concurrency: 3 }),
        [standby, standby, standby]
      )
    }))
})
