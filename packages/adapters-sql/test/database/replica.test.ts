import { assert, it } from "@effect/vitest"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type Principal, PrincipalRepository } from "@lastro/domain/identity"
import { type PartnerDetail } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { timestampOf } from "@lastro/domain/values"
import { storeForest, storeUser } from "@lastro/testkit"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { inject } from "vitest"
import { type PostgresProcess } from "../../../../test/PostgresHost.ts"
import { connectionFailureOf, layer, migrate, PgDatabase } from "../../src/index.ts"
import { movePartner } from "../hierarchy/movePartner.ts"
import { startProxy } from "../proxy.ts"
import { copyAsStandby, openServers } from "../standby.ts"

const settings = {
  fsync: "off",
  max_connections: "30",
  shared_buffers: "16MB",
  track_activity_query_size: "16384",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

/** A primary with a migrated database, and a streaming standby. */
class Pair extends Context.Service<Pair, {
  readonly url: string
  readonly readUrl: string
  /** Runs a statement on the standby as the superuser. */
  readonly onStandby: (statement: string) => Effect.Effect<ReadonlyArray<Readonly<Record<string, unknown>>>>
  readonly stopStandby: Effect.Effect<void>
  readonly startStandby: Effect.Effect<void>
}>()("@lastro/adapters-sql/test/database/replica.test/Pair") {}

const client = (url: string) =>
  PgDatabase.layer({
    url: Redacted.make(`${url}?target_session_attrs=any`),
    maxConnections: 2,
    applicationName: "test"
  })

const layerPair = Layer.effect(
  Pair,
  Effect.gen(function*() {
    const { host, kill, start } = yield* openServers(settings)
    const primary = yield* start("0")
    const urlOf = (role: string, { port }: PostgresProcess) => `postgres://${role}@127.0.0.1:${port}/postgres`
    const administer = (url: string, ...statements: ReadonlyArray<string>) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => Effect.forEach(statements, (statement) => sql.unsafe<Readonly<Record<string, unknown>>>(statement))
      ).pipe(
        Effect.provide(client(url), { local: true }),
        Effect.orDie
      )
    const superuser = urlOf("postgres", primary)
    yield* administer(superuser, "create role lastro login", "alter database postgres owner to lastro")
    const url = urlOf("lastro", primary)
    yield* Effect.orDie(Effect.provide(migrate, client(url), { local: true }))
    yield* copyAsStandby(host, { url: superuser, port: primary.port, data: "0" }, "1")
    let standby = yield* start("1")
    return Pair.of({
      url,
      readUrl: urlOf("lastro", standby),
      onStandby: (statement) => Effect.map(administer(urlOf("postgres", standby), statement), ([rows = []]) => rows),
      stopStandby: Effect.suspend(() => kill(standby)),
      startStandby: Effect.gen(function*() {
        standby = yield* start("1", standby.port)
      })
    })
  })
)

/** All ports, with lists from a replica. */
const ports = (options: PgDatabase.PgOptions) => Layer.provideMerge(layer, PgDatabase.layer(options))

const listNames = Effect.fnUntraced(function*({ partner_id }: PartnerDetail) {
  const { items, total } = yield* (yield* UserRepository).list(asOperator.scope(partner_id), {
    filters: {},
    sort: [{ property: "created_at", direction: "asc" }],
    page: { number: 0, size: 100 }
  })
  assert.strictEqual(items.length, total)
  return items.map(({ name }) => name).toSorted()
})

/** Returns functions that determine which server has served a list. */
const watchLists = Effect.fnUntraced(function*(root: PartnerDetail) {
  const { onStandby } = yield* Pair
  const lists = onStandby(
    "select coalesce(extract(epoch from max(query_start)), 0)::float8 as at from pg_stat_activity " +
      "where application_name = 'lastro replica' and query like '%subtree_count of_top%'"
  )
  /** Returns whether the standby has served the lists that an effect reads. */
  const isServedByStandby = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const before = yield* lists
      const result = yield* effect
      return [Number((yield* lists)[0]?.["at"]) > Number(before[0]?.["at"]), result] as const
    })
  const untilServedBy = (standby: boolean) =>
    Effect.repeat(isServedByStandby(listNames(root)), { until: ([served]) => served === standby })
  return { isServedByStandby, untilServedBy }
})

it.layer(layerPair, { excludeTestServices: true, timeout: "1 minute" })("a read replica", (it) => {
  it.effect("does not hold up lists if it stops responding", () =>
    Effect.gen(function*() {
      const { readUrl, url } = yield* Pair
      const proxy = yield* startProxy(readUrl)
      // With these limits, a list that waits for the standby does not end before the test does.
      const waits = { connectTimeout: "1 hour", poolTimeout: "1 hour", statementTimeout: "1 hour" } as const
      yield* Effect.gen(function*() {
        const [root] = yield* storeForest([null])
        yield* (yield* watchLists(root)).untilServedBy(true)
        proxy.swallow()
        yield* storeUser(root, { name: "User 20" })
        for (let lists = 0; lists < 3; lists++) assert.deepStrictEqual(yield* listNames(root), ["User 20"])
      }).pipe(Effect.provide(ports({ url, readUrl: proxy.url, ...waits }), { local: true }))
    }))

  it.effect("serves lists that contain every earlier change, and the primary serves them while it is behind or away", () =>
    Effect.gen(function*() {
      const pair = yield* Pair
      yield* Effect.gen(function*() {
        const users = yield* UserRepository
        const [root, left, right] = yield* storeForest([null, 0, 0])
        const { isServedByStandby, untilServedBy } = yield* watchLists(root)

        // Every list contains the user that was stored before it, whichever server it was read from.
        const names: Array<string> = []
        for (let index = 20; index < 40; index++) {
          const name = `User ${index}`
          names.push(name)
          yield* storeUser(index % 2 === 0 ? left : right, { name })
          assert.deepStrictEqual(yield* listNames(root), names)
        }
        yield* untilServedBy(true)

        // A list is read at the same time as its caller, whose state comes from the primary.
        const admin = yield* storeUser(left, { name: "User 40" })
        const principals = yield* PrincipalRepository
        const [found, listed] = yield* principals.findWhile("user", admin.user_id, Effect.orDie(listNames(root)))
        assert.strictEqual(Option.map(found, ({ subject }: Principal) => subject).pipe(Option.getOrNull), admin.user_id)
        assert.include(listed, "User 40")

        // Within a transaction, a list contains its own changes.
        yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
          yield* storeUser(left, { name: "User 41" })
          assert.include(yield* listNames(left), "User 41")
        }))

        // The standby stops replaying. Lists contain new users, and none of a partner that was moved out of their scope.
        yield* untilServedBy(true)
        yield* pair.onStandby("select pg_wal_replay_pause()")
        yield* Effect.repeat(pair.onStandby("select pg_get_wal_replay_pause_state() as state"), {
          until: ([row]) => row?.["state"] === "paused"
        })
        const late = yield* storeUser(right, { name: "User 42" })
        assert.isFalse((yield* isServedByStandby(listNames(right)))[0])
        assert.include(yield* listNames(right), "User 42")
        assert.isTrue(yield* movePartner(right, left))
        assert.include(yield* listNames(left), "User 42")
        const [, top] = yield* storeForest([null, 0])
        assert.deepStrictEqual(yield* listNames(top), [])
        const record = yield* Effect.fromResult(
          judgeFound(yield* users.find(asOperator.scope(root.partner_id), late.user_id))
        )
        yield* users.remove(record, timestampOf(Date.UTC(2026, 2, 1)))
        assert.notInclude(yield* listNames(root), "User 42")
        yield* pair.onStandby("select pg_wal_replay_resume()")
        yield* untilServedBy(true)

        // The standby crashes and comes back.
        yield* pair.stopStandby
        yield* storeUser(left, { name: "User 43" })
        assert.include(yield* listNames(root), "User 43")
        yield* pair.startStandby
        yield* untilServedBy(true)
        assert.include(yield* listNames(root), "User 43")

        // The standby becomes a primary of its own.
        yield* pair.onStandby("select pg_promote()")
        yield* storeUser(left, { name: "User 44" })
        const [isServed, last] = yield* isServedByStandby(listNames(root))
        assert.deepStrictEqual([isServed, last.includes("User 44")], [false, true])
      }).pipe(Effect.provide(ports(pair), { local: true }))
    }))

  it.effect("must be a standby of the primary, and need not be available at the start", () =>
    Effect.gen(function*() {
      const { url } = yield* Pair
      const start = (readUrl: string) => Effect.provide(storeForest([null]), ports({ url, readUrl }), { local: true })
      const weaker: SqlError.SqlError = yield* Effect.provide(
        Effect.asVoid(SqlClient.SqlClient),
        PgDatabase.layer({
          url: `${url}?sslmode=verify-full`,
          readUrl: `${url}?sslmode=require`
        }),
        { local: true }
      ).pipe(Effect.flip)
      assert.match(weaker.message, /must not have a weaker sslmode/)
      const mismatch: SqlError.SqlError = yield* Effect.flip(start(inject("databaseUrl")))
      assert.strictEqual(connectionFailureOf(mismatch)?.problem, "replica_mismatch")
      const [root] = yield* start("postgres://postgres@127.0.0.1:1/postgres")
      assert.strictEqual(root.parent_id, null)
    }))
})
