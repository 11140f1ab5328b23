import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Installation } from "@lastro/domain/operator"
import { DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { QuoteId } from "@lastro/domain/values"
import { layerScriptedLender, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { locks } from "../../src/database/locks.ts"
import { checkInvariants, checkWork, foldCounts, layer, migrate } from "../../src/index.ts"
import { jobChannelSql } from "../../src/jobs/dueJobs.ts"
import * as WorkRunner from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { awaitQuote, openApplication } from "../jobs/fixtures.ts"
import { postgresNode, startNode } from "../jobs/nodes.ts"
import { freshDatabase } from "../postgres.ts"
import {
  asAdministrator,
  awkwardSchema as awkward,
  databaseWithRole,
  inSchema,
  migrateAt,
  refusalAt,
  tablesIn
} from "./roles.ts"

const countJobs = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly n: number }>`select count(*)::int as n from job`)[0]?.n
})

const root = new URL("../../../../", import.meta.url)

describe.concurrent("two installations in one database", () => {
  it.live("have their own tables, jobs and counts, and quotes in both", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      assert.strictEqual(new TextEncoder().encode(awkward).length, 63)
      const nodes = yield* Effect.forEach(
        ["one", awkward],
        (schema) => startNode(postgresNode(url, layerScriptedLender, { schema, node: schema.slice(0, 5) })),
        { concurrency: 2 }
      )
      for (const { run } of nodes) {
        yield* run(awaitQuote(yield* run(Effect.flatMap(storeRootPartner(), (partner) => openApplication(partner)))))
      }
      for (const { run } of nodes) {
        yield* waitUntil("no job is left", Effect.map(run(countJobs), (jobs) => jobs === 0))
        while ((yield* run(foldCounts)) > 0);
        assert.deepStrictEqual([...yield* run(checkInvariants), ...yield* run(checkWork)], [])
      }
      assert.deepStrictEqual(yield* tablesIn(url, "public"), [])
      assert.deepStrictEqual(yield* tablesIn(url, "one"), yield* tablesIn(url, awkward))
    }))

  it.live("have their own advisory locks and notifications", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const attempts = Effect.gen(function*() {
        const lock = locks(yield* SqlClient.SqlClient)
        const names = [["installation", "partner"], ["counts", "fold"], ["tree", "same"]] as const
        return yield* Effect.forEach(names, ([kind, name]) =>
          lock.attempt(kind, name).pipe(Effect.map(([row]) => row?.taken)))
      })
      const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(effect))
      yield* Effect.all([migrateAt(url, "one"), migrateAt(url, "other")], { concurrency: 2 })
      yield* inTransaction(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* attempts
        assert.deepStrictEqual(yield* inTransaction(attempts).pipe(inSchema(url, "one")), [false, false, false])
        assert.deepStrictEqual(yield* inTransaction(attempts).pipe(inSchema(url, "other")), [true, true, true])
        assert.isTrue(yield* Effect.flatMap(Installation, ({ isEmpty }) => isEmpty).pipe(inSchema(url, "other")))
        // The migration of an installation does not wait for the migration of another one.
        yield* sql`select pg_advisory_xact_lock(hashtextextended('lastro.migrate', 'one'::regnamespace::oid::bigint))`
        assert.deepStrictEqual(yield* migrate.pipe(inSchema(url, "other")), [])
      })).pipe(inSchema(url, "one"))

      const readChannel = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          sql<{ readonly name: string }>`select ${sql.literal(jobChannelSql)} as name`,
          ([channel]) => channel?.name ?? ""
        ))
      const startJob = Effect.gen(function*() {
        const work = yield* DurableWork
        yield* (yield* UnitOfWork).atomically(work.startQuote(QuoteId.make(randomUUID())))
      }).pipe(Effect.provide(WorkRunner.layerStartOnly))
      yield* Effect.gen(function*() {
        const channel = yield* readChannel
        assert.notStrictEqual(channel, yield* readChannel.pipe(inSchema(url, "other")))
        const notifications = yield* (yield* PgClient.PgClient).listen(channel)
        yield* startJob.pipe(inSchema(url, "other"))
        yield* startJob
        yield* Queue.take(notifications)
        assert.strictEqual(yield* Queue.size(notifications), 0)
      }).pipe(inSchema(url, "one"))
    }))

  it.live("stay apart if one of them is in public", () =>
    Effect.gen(function*() {
      const { database, role, roleUrl, url } = yield* databaseWithRole
      yield* storeRootPartner().pipe(inSchema(url))
      assert.isTrue(yield* Effect.flatMap(Installation, ({ isEmpty }) => isEmpty).pipe(inSchema(url, "lastro")))
      assert.isFalse(yield* Effect.flatMap(Installation, ({ isEmpty }) => isEmpty).pipe(inSchema(url, "public")))
      // A schema with the name of the role comes first in the default search_path. The existing installation is found
      // nevertheless.
      yield* asAdministrator(
        url,
        `create schema authorization "${role}"`,
        `grant select, insert, update, delete on all tables in schema public to "${role}"`
      )
      assert.deepStrictEqual(yield* migrateAt(roleUrl), [])
      assert.deepStrictEqual(yield* tablesIn(url, role), [])
      // A table in that schema hides the table of the installation, unless the schema is set.
      yield* asAdministrator(url, `create table "${role}".job (id int)`)
      assert.strictEqual(
        yield* refusalAt(roleUrl),
        `The installation in the schema "public" of the database "${database}" is hidden by tables of another schema ` +
          `in the search_path of the role "${role}" (job): set the schema "public" with the option schema, the ` +
          "parameter schema of the database URL, or LASTRO_SCHEMA."
      )
      assert.deepStrictEqual(yield* migrateAt(roleUrl, "public"), [])
    }))
})

describe.concurrent("a client of the host", () => {
  it.live("selects the schema with its search_path", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const client = PgClient.layer({ url: Redacted.make(url), startupParameters: { search_path: "Hosted" } })
      yield* Effect.andThen(migrate, storeRootPartner()).pipe(
        Effect.provide(Layer.provideMerge(layer, client), { local: true })
      )
      assert.deepStrictEqual(yield* tablesIn(url, "public"), [])
      assert.include(yield* tablesIn(url, "hosted"), "partner")
    }))
})

describe.concurrent("an installation in public", () => {
  it.live("moves to a schema of its own with deploy/move-schema.sql", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      yield* asAdministrator(url, "create table orders (id int)")
      const partner = yield* storeRootPartner().pipe(inSchema(url))
      const moveSchema = yield* Effect.promise(() => readFile(new URL("deploy/move-schema.sql", root), "utf8"))
      yield* asAdministrator(url, moveSchema)
      assert.deepStrictEqual(yield* tablesIn(url, "public"), ["orders"])
      assert.deepStrictEqual(yield* migrateAt(url, "lastro"), [])
      const { run } = yield* startNode(postgresNode(url, layerScriptedLender, { schema: "lastro" }))
      yield* run(awaitQuote(yield* run(openApplication(partner))))
      assert.deepStrictEqual(yield* run(checkInvariants), [])
    }))
})
