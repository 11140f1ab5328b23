import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { checkLiveness, migrate, PgDatabase, readWorkStatus } from "../../src/index.ts"
import { migratedDatabase } from "../postgres.ts"

/** A database whose counts are never updated, and which has no nodes. */
const database = Layer.fresh(
  Layer.unwrap(
    Effect.map(migratedDatabase, (url) =>
      Layer.provideMerge(
        Layer.effectDiscard(migrate),
        PgDatabase.layer({ url, idleInTransactionTimeout: "1 minute" })
      ))
  )
)

const someNode = "00000000-0000-4000-8000-000000000001"

const insertNode = (skew_ms: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      insert into node (id, label, clock_skew_ms) values (${someNode}, 'one', ${skew_ms})
      on conflict (id) do update set seen_at = now(), clock_skew_ms = excluded.clock_skew_ms`)

const found = Effect.map(
  checkLiveness,
  (findings) => findings.map(({ examples, invariant }) => [invariant, ...examples])
)

/** Within one transaction, the clock of the database stands still. */
const inOneTransaction = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(test)).pipe(Effect.provide(database))

describe("checkLiveness", () => {
  it.live("finds nothing while a node works", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* insertNode(29_000)
      yield* sql`
        insert into job (kind, id, owner, run_at) values
          ('quote', gen_random_uuid(), ${someNode}, now() + interval '4 s'),
          ('quote', gen_random_uuid(), null, now() - interval '2 s'),
          ('contract', gen_random_uuid(), null, now() + interval '1 h')`
      assert.deepStrictEqual(yield* found, [])
      const status = { nodes: ["one"], running: 1, due: 1, waiting: 1, failing: 0, oldest_due_seconds: 2 }
      assert.deepStrictEqual(yield* readWorkStatus, status)
    }).pipe(inOneTransaction))

  it.live("LENDER-28 the jobs of a lender that left, for which a node has an alarm, are no finding", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* insertNode(0)
      const id = "00000000-0000-4000-8000-00000000000a"
      yield* sql`
        insert into job (kind, id, run_at) values
          ('contract:gone', ${id}, now() - interval '10 min'), ('contract:here', ${id}, now() - interval '10 min')`
      yield* sql`update node set alarms = '{LENDER_LEFT:gone}'`
      assert.deepStrictEqual(yield* found, [
        ["Every due job is fetched within 15 s", `contract:here/${id}, due for 10.0 min`]
      ])
    }).pipe(inOneTransaction))

  it.live("finds everything that stands still", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // Processes that only start jobs: one of this version, and one of a version without the column `runs_jobs`.
      yield* sql`
        insert into node (id, label, clock_skew_ms, runs_jobs) values
          ('00000000-0000-4000-8000-000000000002', 'starter', 0, false),
          ('00000000-0000-8000-8000-000000000003', 'earlier starter', 0, null)`
      assert.deepStrictEqual(yield* found, [
        ["At least one node is running", "no node was seen in the last 10 s"]
      ])
      yield* insertNode(-3_600_000)
      const id = "00000000-0000-4000-8000-00000000000a"
      yield* sql`
        insert into job (kind, id, run_at, failures, failure, silent) values
          ('quote', ${id}, now() - interval '10 min', 12, 'ConnectionError', 3),
          ('document', ${id}, now() + interval '1 h', 0, null, 0)`
      yield* sql`insert into subtree_count_delta (partner_id, partners, users) values (${id}, 0, 0)`
      assert.deepStrictEqual(yield* found, [
        ["The clock of every node agrees with the clock of the database", "one is 3600 s behind"],
        ["Every due job is fetched within 15 s", `quote/${id}, due for 10.0 min`],
        ["Every job has a kind that this version runs", `document/${id}`],
        ["No job has failed 10 times in a row", `quote/${id}, 12 times: ConnectionError`],
        ["No job has crashed its process", `quote/${id}, 3 runs without an outcome`],
        ["Pending changes are added to the stored counts", "change 1 is still pending after 5 s"]
      ])
    }).pipe(inOneTransaction), 30_000)
})
