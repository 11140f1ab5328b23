import { assert, describe, it } from "@effect/vitest"
import { kycFields } from "@lastro/domain/kyc"
import { Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { layerPglite, migrate, PgDatabase } from "../../src/index.ts"
import { migrations } from "../../src/migrations/migrate.ts"
import { waitUntil } from "../coordination.ts"
import { postgres } from "../databases.ts"
import { cacheFolder } from "../migratedCache.ts"
import { freshDatabase } from "../postgres.ts"
import { columnsOf, documentedColumns, documentedKycFields } from "../privacy/documentedColumns.ts"
import { schemaOf } from "./schemaOf.ts"

const readApplied = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`select name from lastro_migration order by migration_id`
  return rows.map(({ name }) => name)
})

const names = Object.keys(migrations).map((id) => id.slice(5))

/** Starts an effect, and holds the lock of the migrations until four transactions wait for it. */
const holdMigrations = <A, E, R>(url: Redacted.Redacted, start: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`
        select pg_advisory_xact_lock(hashtextextended('lastro.migrate', oid::bigint)) from pg_namespace where nspname = 'public'`
      const started = yield* start
      yield* waitUntil(
        "four nodes wait",
        Effect.map(
          sql`select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`,
          ({ length }) => length === 4
        )
      )
      return started
    }))
  }).pipe(Effect.provide(PgDatabase.layer({ url }), { local: true }))

describe("migrations", () => {
  it("have contiguous ids, because the migrator skips a lower id that is added later", () => {
    assert.deepStrictEqual(
      Object.keys(migrations).map((id) => Number(id.split("_")[0])),
      Object.keys(migrations).map((_, index) => index + 1)
    )
  })

  it.live("run only once", () =>
    Effect.gen(function*() {
      const database = PgDatabase.layer({ url: Redacted.make(yield* freshDatabase) })
      const [first, again] = yield* Effect.all([migrate, migrate]).pipe(Effect.provide(database, { local: true }))
      assert.deepStrictEqual([first.map(([, name]) => name), again], [names, []])
    }))

  it.live("run only once if several nodes start concurrently", () =>
    Effect.gen(function*() {
      const url = Redacted.make(yield* freshDatabase)
      const node = Effect.suspend(() =>
        migrate.pipe(Effect.provide(PgDatabase.layer({ url, lockTimeout: "10 millis" }), { local: true }))
      )
      // All nodes have seen the empty database and wait before the first one migrates.
      const starting = yield* holdMigrations(
        url,
        Effect.forkChild(Effect.all([node, node, node, node], { concurrency: 4 }))
      )
      const ran = yield* Fiber.join(starting)
      assert.sameDeepMembers(ran.map((one) => one.length), [names.length, 0, 0, 0])
      assert.deepStrictEqual(
        yield* readApplied.pipe(Effect.provide(PgDatabase.layer({ url }), { local: true })),
        names
      )
    }))

  it.live("create the schema in schema.txt, whose columns docs/privacy.md lists, on PostgreSQL and on PGlite", () =>
    Effect.gen(function*() {
      const documented = (yield* Effect.promise(documentedColumns)).toSorted()
      for (const database of [postgres(), layerPglite({ dataDir: "memory", cacheFolder })]) {
        const schema = yield* schemaOf.pipe(Effect.provide(database, { local: true }))
        yield* Effect.promise(() => expect(schema).toMatchFileSnapshot("schema.txt"))
        assert.deepStrictEqual(columnsOf(schema).toSorted(), documented)
      }
    }))

  it("docs/privacy.md lists every field of the KYC", async () => {
    assert.sameMembers([...await documentedKycFields()], Object.keys(kycFields))
  })
})
