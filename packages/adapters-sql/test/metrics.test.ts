import { assert, layer } from "@effect/vitest"
import { addMillis, currentTimestamp } from "@lastro/domain/values"
import { recordContractStatus, saveApplication, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { type Context, Deferred, Effect, Fiber, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { countOpen, registerContractMetrics } from "../src/jobs/contractMetrics.ts"
import { registerJobMetrics } from "../src/jobs/jobMetrics.ts"
import { postgresWithoutFolder } from "./databases.ts"

/** Nothing in the background uses its connections. */
const database = postgresWithoutFolder({
  maxConnections: 2,
  poolTimeout: "100 millis",
  applicationName: "measured"
}).pipe(Layer.provideMerge(Layer.succeed(Metric.MetricRegistry, new Map())))

/** Reads a series, for example `lastro_jobs{kind="quote"}`, as `/metrics` shows it. */
const read = (series: string) =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() =>
      Metric.snapshotUnsafe(context).flatMap(({ attributes = {}, id, state }) => {
        const labels = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
        const value = "value" in state ? Number(state.value) : "count" in state ? Number(state.count) : Number.NaN
        return `${id}{${labels.join(",")}}` === series ? [value] : []
      })
    )
  )

/** Uses one connection until the scope closes. */
const holdConnection = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const held = yield* Deferred.make<void>()
  yield* Effect.forkScoped(sql.withTransaction(Effect.andThen(Deferred.succeed(held, undefined), Effect.never)))
  yield* Deferred.await(held)
})

layer(database, { excludeTestServices: true })("the metrics of a database", (it) => {
  it.effect("count the jobs by one statement, and show NaN before it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into job (kind, id, run_at, owner, failures) values
          ('quote', gen_random_uuid(), now() - interval '3 minutes', null, 0),
          ('quote', gen_random_uuid(), now() - interval '1 minute', gen_random_uuid(), 2),
          ('quote', gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), 0),
          ('quote', gen_random_uuid(), now() + interval '1 hour', null, 12),
          ('quote', gen_random_uuid(), now() + interval '1 hour', null, 0),
          ('quote:left', gen_random_uuid(), now() - interval '9 minutes', null, 0)`
      const jobs = (state: string) => read(`lastro_jobs{kind="quote",state="${state}"}`)
      const { refresh } = yield* registerJobMetrics(sql)
      assert.deepStrictEqual(yield* jobs("due"), [Number.NaN])
      yield* refresh
      // A job whose lease has expired is due.
      assert.deepStrictEqual([yield* jobs("running"), yield* jobs("due"), yield* jobs("waiting")], [[1], [2], [3]])
      assert.deepStrictEqual(yield* read("lastro_jobs_failing{kind=\"quote\"}"), [2])
      assert.deepStrictEqual(yield* read("lastro_job_failures_max{kind=\"quote\"}"), [12])
      const [oldest = 0] = yield* read("lastro_jobs_oldest_due_seconds{kind=\"quote\"}")
      assert.isAtLeast(oldest, 180)
      assert.isBelow(oldest, 540, "the job of a lender that left is not overdue")
      assert.deepStrictEqual(yield* read("lastro_jobs{kind=\"contract\",state=\"due\"}"), [0])
      // The statement runs at most every five seconds.
      yield* sql`delete from job`
      yield* refresh
      assert.deepStrictEqual(yield* jobs("due"), [2])
    }))

  it.effect("count the open contracts by status from an index, with the age of the oldest in its status", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const partner = yield* storeRootPartner()
      const now = yield* currentTimestamp
      const hoursAgo = (hours: number) => addMillis(now, -hours * 3_600_000)
      const oldest = yield* storeContractedApplication(partner, { at: hoursAgo(30) })
      yield* storeContractedApplication(partner, { at: hoursAgo(2) })
      const paid = yield* storeContractedApplication(partner, { at: hoursAgo(50) })
      yield* saveApplication(paid, recordContractStatus(paid, "PAID"))
      const ofStatus = (status: string) =>
        Effect.all([
          read(`lastro_open_contracts{status="${status}"}`),
          read(`lastro_open_contracts_oldest_seconds{status="${status}"}`)
        ])
      const { refresh } = yield* registerContractMetrics(sql)
      assert.deepStrictEqual(yield* ofStatus("SUBMITTING"), [[Number.NaN], [Number.NaN]])
      yield* refresh
      const [counted, [age = 0]] = yield* ofStatus("SUBMITTING")
      assert.deepStrictEqual(counted, [2])
      assert.isAtLeast(age, 30 * 3_600)
      assert.isBelow(age, 31 * 3_600)
      assert.deepStrictEqual(yield* ofStatus("AWAITING_SIGNATURE"), [[0], [0]])
      assert.deepStrictEqual(yield* ofStatus("PAID"), [[], []])

      // A change that is no change of the status does not make the contract younger.
      yield* sql`update proposal set updated_at = now() where application_id = ${oldest.application_id}`
      const { refresh: again } = yield* Effect.provideService(
        registerContractMetrics(sql),
        Metric.MetricRegistry,
        new Map()
      )
      yield* again
      const [, [ageAgain = 0]] = yield* ofStatus("SUBMITTING")
      assert.isAtLeast(ageAgain, age)

      // The statement reads the index, however many contracts are paid.
      yield* sql`set enable_seqscan = off`
      const plan = (yield* sql<{ readonly "QUERY PLAN": string }>`explain ${countOpen(sql)}`)
        .map((line) => line["QUERY PLAN"]).join("\n")
      assert.strictEqual(plan.match(/using proposal_open/g)?.length, 2, plan)
      assert.notInclude(plan, "Sort", plan)
    }))

  it.effect("show the connections of each pool, and the waits for one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const connections = (state: string) => read(`lastro_database_connections{pool="measured",state="${state}"}`)
      const waiting = read("lastro_database_connection_waiters{pool=\"measured\"}")
      yield* Effect.scoped(Effect.gen(function*() {
        yield* holdConnection
        yield* holdConnection
        assert.deepStrictEqual([yield* connections("in_use"), yield* connections("idle")], [[2], [0]])
        const waiter = yield* Effect.forkChild(Effect.exit(sql`select 1`), { startImmediately: true })
        assert.deepStrictEqual(yield* waiting, [1])
        yield* Fiber.await(waiter)
        assert.deepStrictEqual(yield* waiting, [0])
        assert.deepStrictEqual(yield* read("lastro_database_connection_timeouts_total{pool=\"measured\"}"), [1])
      }))
      yield* sql`select 1`
      assert.deepStrictEqual(yield* connections("in_use"), [0])
      assert.deepStrictEqual(yield* read("lastro_database_connections_max{pool=\"measured\"}"), [2])
    }))
})
