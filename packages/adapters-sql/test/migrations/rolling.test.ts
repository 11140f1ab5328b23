import { assert, describe, it } from "@effect/vitest"
import { NodeCondition } from "@lastro/domain/adapters"
import { storeRootPartner } from "@lastro/testkit"
import { Effect, Exit, Fiber, Ref } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { hostname } from "node:os"
import {
  checkLiveness,
  OlderNodesRunning,
  PgDatabase,
  readWorkStatus,
  refuseNewerSchema,
  SchemaBusy,
  SchemaTooNew
} from "../../src/index.ts"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import {
  migrateTo,
  migrateWith,
  migrations,
  programVersion,
  released,
  type Steps
} from "../../src/migrations/migrate.ts"
import { contract, expand, lowestPrograms } from "../../src/migrations/steps.ts"
import { isCompatible } from "../../src/migrations/storedSchema.ts"
import { waitUntil } from "../coordination.ts"
import { postgresNode, startNode, startOnlyProcess } from "../jobs/nodes.ts"
import { makeScriptedLender } from "../jobs/scriptedLender.ts"
import { freshDatabase } from "../postgres.ts"
import { asAdministrator } from "../schema/roles.ts"

const run = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(statement)))

const [next, afterNext] = [programVersion + 1, programVersion + 2]

/** The next version: it adds a column that this version does not set. */
const expanding: Steps = {
  ...released,
  [`${next}_expanding`]: expand(run("alter table partner add column nickname text not null default 'none'"))
}

/** The version after the next: it requires the new column. This version cannot look for jobs any more. */
const contracting: Steps = {
  ...expanding,
  [`${afterNext}_contracting`]: contract(
    next,
    Effect.andThen(
      run("alter table partner alter column nickname drop default"),
      run("alter table job rename column silent to silent_runs")
    )
  )
}

/** Writes without a pause until it is stopped. Returns the number of requests and of failures. */
const startLoad = <R, E>(request: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function*() {
    const counts = yield* Ref.make({ sent: 0, failed: 0 })
    const one = Effect.flatMap(Effect.exit(request), (exit) =>
      Ref.update(counts, ({ failed, sent }) => ({ sent: sent + 1, failed: failed + (Exit.isSuccess(exit) ? 0 : 1) })))
    const fiber = yield* Effect.forkChild(Effect.forever(one))
    const sentAtLeast = (more: number) =>
      Effect.flatMap(Ref.get(counts), ({ sent }) =>
        waitUntil(
          "more requests were sent",
          Effect.map(Ref.get(counts), (now) =>
            now.sent >= sent + more)
        ))
    return { sentAtLeast, stop: Effect.andThen(Fiber.interrupt(fiber), Ref.get(counts)) }
  })

describe.concurrent("a rolling upgrade", () => {
  it.live(
    "keeps running and starting nodes of this version on a newer schema, until a migration excludes them",
    () =>
      Effect.gen(function*() {
        const database = yield* freshDatabase
        const url = `${database}?schema=own`
        const at = Effect.provide(PgDatabase.layer({ url }), { local: true })
        const { lender } = yield* makeScriptedLender
        const node = postgresNode(url, lender, { node: "old" })
        const old = yield* startNode(node)
        const { isReady, isSchemaCompatible, problem } = yield* old.run(WorkRunner)
        const load = yield* startLoad(old.run(storeRootPartner()))
        yield* load.sentAtLeast(10)
        assert.deepStrictEqual(yield* at(migrateTo(expanding)), [[next, "expanding"]])
        yield* load.sentAtLeast(10)
        const restarted = yield* startNode(node)
        yield* restarted.run(storeRootPartner())
        yield* restarted.stop
        yield* at(refuseNewerSchema)
        assert.isTrue(yield* isReady)

        const error = yield* Effect.flip(at(migrateTo(contracting)))
        assert.instanceOf(error, OlderNodesRunning)
        assert.strictEqual(
          error.message,
          `The migration ${afterNext}_contracting would break the running nodes of an older version (old): stop them and ` +
            "repeat this command after 10 s, or run lastro migrate --stop-the-world."
        )
        yield* load.sentAtLeast(10)
        const { failed, sent } = yield* load.stop
        assert.isAbove(sent, 30)
        assert.strictEqual(failed, 0)

        assert.deepStrictEqual(yield* at(migrateTo(contracting, { stopTheWorld: true })), [[afterNext, "contracting"]])
        const refusal =
          `the version ${afterNext}, which this program with the schema version ${programVersion} does not support`
        yield* waitUntil("the node notices", Effect.map(problem, (text) => text === `the schema has ${refusal}`))
        assert.isFalse(isSchemaCompatible())
        for (const starting of [Effect.scoped(startNode(node)), at(refuseNewerSchema), at(migrateWith({}))]) {
          const tooNew = yield* Effect.flip(starting)
          assert.instanceOf(tooNew, SchemaTooNew)
          assert.strictEqual(
            tooNew.message,
            `The schema "own" of the database "${
              new URL(database).pathname.slice(1)
            }" has ${refusal}: use a version of ` +
              `Lastro with the schema version ${next} or newer.`
          )
        }
        // The nodes of the next version support the schema.
        yield* old.stop
        assert.deepStrictEqual(yield* at(migrateTo(expanding)), [])
      }),
    60_000
  )

  it.live("waits for the end of nodes that do not state their version", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const at = Effect.provide(PgDatabase.layer({ url }), { local: true })
      const first = (count: number) => Object.fromEntries(Object.entries(migrations).slice(0, count))
      const migrateOld = (count: number) =>
        Migrator.make({})({ loader: Migrator.fromRecord(first(count)), table: "lastro_migration" })
      yield* at(migrateOld(13))
      yield* asAdministrator(
        url,
        `insert into node (id, label, seen_at, clock_skew_ms) values (gen_random_uuid(), 'lost', now() - interval '11 s', 0)`,
        `insert into node (id, label, seen_at, clock_skew_ms)
        select gen_random_uuid(), 'node ' || n, now() + interval '1 hour', 0 from generate_series(1, 7) n`
      )
      const error = yield* Effect.flip(at(migrateWith({})))
      assert.instanceOf(error, OlderNodesRunning)
      assert.include(error.message, "0015_metadata would break the running nodes")
      assert.include(error.message, "(node 1, node 2, node 3, node 4, node 5, and 2 more)")
      assert.deepStrictEqual(yield* asAdministrator(url, "select max(migration_id) as last from lastro_migration"), [
        { last: 13 }
      ])
      yield* asAdministrator(url, "update node set seen_at = now() - interval '11 s'")
      assert.lengthOf(yield* at(migrateWith({})), programVersion - 13)
      // A node of the version 15 supports the schema of the migration 0016.
      const other = yield* freshDatabase
      const there = Effect.provide(PgDatabase.layer({ url: other }), { local: true })
      yield* there(migrateOld(15))
      yield* asAdministrator(
        other,
        `insert into node (id, label, seen_at, clock_skew_ms) values (gen_random_uuid(), '15', now() + interval '1 hour', 0)`
      )
      assert.lengthOf(yield* there(migrateTo(Object.fromEntries(Object.entries(released).slice(0, 16)))), 1)
      const recorded = yield* asAdministrator(
        other,
        "select lowest_program from lastro_migration where migration_id > 12"
      )
      assert.deepStrictEqual(recorded, [13, 13, 15, 15].map((lowest_program) => ({ lowest_program })))
      // The indexes of large tables are created without the exclusive locks of their migration.
      const indexesOn = (tables: string) =>
        asAdministrator(other, `select indexname as name from pg_indexes where tablename in (${tables}) order by 1`)
      const large = "'audit', 'app_user', 'partner', 'proposal', 'application', 'idempotency'"
      yield* there(migrateTo(Object.fromEntries(Object.entries(released).slice(0, 17))))
      const stages = [
        [18, released["0018_privacy"], ["audit_partner"]],
        [19, released["0019_audit_counts"], ["audit_partner_at", "audit_actor", "audit_action"]]
      ] as const
      for (const [count, step, replaced] of stages) {
        for (const part of step.prepare) yield* there(part)
        const prepared = yield* indexesOn(large)
        assert.lengthOf(yield* there(migrateTo(Object.fromEntries(Object.entries(released).slice(0, count)))), 1)
        assert.deepStrictEqual(
          yield* indexesOn(large),
          prepared.filter(({ name }) => !replaced.some((one) => one === name))
        )
      }

      // A process that only starts jobs is in the list, too. It is no node that runs jobs.
      yield* asAdministrator(other, "delete from node")
      const starter = yield* startNode(startOnlyProcess(other))
      const condition = yield* starter.run(NodeCondition)
      if (condition === null) return assert.fail("the process reports no condition")
      assert.isTrue(yield* condition.isReady)
      assert.isTrue(condition.mayServe())
      assert.deepStrictEqual((yield* starter.run(readWorkStatus)).nodes, [])
      assert.include(
        (yield* starter.run(checkLiveness)).map(({ invariant }) => invariant),
        "At least one node is running"
      )
      const excluding = yield* Effect.flip(there(migrateTo(contracting)))
      assert.instanceOf(excluding, OlderNodesRunning)
      assert.deepStrictEqual(excluding.nodes, [`${hostname()}:${process.pid}`])
      yield* there(migrateTo(contracting, { stopTheWorld: true }))
      yield* waitUntil("the process notices", Effect.sync(() => !condition.mayServe()))
      assert.isFalse(yield* condition.isReady)
      yield* starter.stop
      assert.deepStrictEqual(yield* asAdministrator(other, "select from node"), [])
    }), 60_000)
})

describe.concurrent("a migration of a table that a long transaction reads", () => {
  it.live(
    "lets the others read, waits, and fails at the end; the migrations before it remain",
    () =>
      Effect.gen(function*() {
        const url = yield* freshDatabase
        const at = Effect.provide(PgDatabase.layer({ url, lockTimeout: "30 seconds" }), { local: true })
        yield* at(migrateWith({}))
        const two: Steps = {
          ...expanding,
          [`${afterNext}_busy`]: expand(
            Effect.andThen(
              run("alter table audit add column note text"),
              run("insert into parts values (pg_current_xact_id())")
            ),
            // Each part of the preparation has a transaction of its own.
            [
              run("create table if not exists parts (transaction xid8 unique)"),
              run("insert into parts values (pg_current_xact_id())"),
              run("insert into parts values (pg_current_xact_id())")
            ]
          )
        }
        yield* at(Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const migrating = yield* sql.withTransaction(Effect.gen(function*() {
            yield* sql`select from audit`
            const refused = yield* Effect.flip(at(migrateTo(two, {}, 1)))
            assert.instanceOf(refused, SchemaBusy)
            assert.strictEqual(
              refused.message,
              `The migration ${afterNext}_busy cannot lock a table of the schema "public" of the database ` +
                `"${new URL(url).pathname.slice(1)}", because long transactions are using it: ` +
                "wait until they have ended, for example a backup, and repeat this command."
            )
            assert.deepStrictEqual(
              yield* asAdministrator(url, "select max(migration_id) as last from lastro_migration"),
              [
                { last: next }
              ]
            )
            const repeated = yield* Effect.forkChild(at(migrateTo(two)))
            yield* waitUntil(
              "the migration waits",
              Effect.map(
                sql`select pid from pg_locks where not granted and relation = 'audit'::regclass`,
                ({ length }) => length === 1
              )
            )
            // This waits behind the migration until that gives up.
            yield* asAdministrator(url, "select from audit")
            return repeated
          }))
          assert.deepStrictEqual(yield* Fiber.join(migrating), [[afterNext, "busy"]])
        }))
      }),
    60_000
  )
})

describe("the compatibility of a schema", () => {
  it("is that of the last contracting migration, and unknown for a migration that does not state it", () => {
    const steps = [contract(1, Effect.void), expand(Effect.void), contract(2, Effect.void), contract(1, Effect.void)]
    assert.deepStrictEqual(lowestPrograms(steps), [1, 1, 2, 2])
    const newer = (lowest_program: number | null) => isCompatible({ version: 18, lowest_program }, 16)
    assert.deepStrictEqual([15, 16, 17, null].map(newer), [true, true, false, false])
    assert.isTrue(isCompatible({ version: 16, lowest_program: null }, 16))
  })
})
