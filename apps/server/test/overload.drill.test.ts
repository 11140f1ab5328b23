import { assert, describe, it } from "@effect/vitest"
import { PgDatabase } from "@lastro/adapters-sql"
import { Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, changeFirstPassword, logIn, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { metricsPort, onPostgres, type RunningServer, startServer } from "./running/serving.ts"

const parallel = { concurrency: "unbounded" } as const

/** Starts a server on this database that publishes its metrics. */
const startMeasured = (url: string, environment: Readonly<Record<string, string>> = {}) =>
  startServer({ ...onPostgres(url), LASTRO_METRICS_PORT: "0", ...environment })

/** Starts a server on PostgreSQL, with a connection of its own to the database. */
const serving = Effect.gen(function*() {
  const url = yield* migratedDatabase
  const server = yield* startMeasured(url)
  const sql = Context.get(yield* Layer.build(PgDatabase.layer({ url })), SqlClient.SqlClient)
  const token = tokenOf(yield* signIn(server))
  const password = yield* changeFirstPassword(server)
  return { url, server, sql, token, other: tokenOf(yield* logIn(server, undefined, password)) }
})

/** Runs an effect while every statement on proposals waits for a lock. */
const whileProposalsAreLocked = <A, E, R>(sql: SqlClient.SqlClient, run: Effect.Effect<A, E, R>) =>
  Effect.orDie(sql.withTransaction(Effect.andThen(sql`lock table proposal in access exclusive mode`, run)))

const metric = (server: RunningServer, line: string): Effect.Effect<number> =>
  Effect.map(
    Effect.flatMap(metricsPort(server), (port) => ask({ url: `http://127.0.0.1:${port}` }, "/metrics")),
    ({ text }) => Number(text.split("\n").find((one) => one.startsWith(`${line} `))?.split(" ")[1] ?? 0)
  )

const queuedReads = (server: RunningServer) => metric(server, "http_server_queued_requests{kind=\"read\"}")

/** Counts the requests that the server has refused so far, before any work for them. */
const refusedEarly = (server: RunningServer): Effect.Effect<number> =>
  Effect.map(
    Effect.forEach(
      ["queue_full", "queue_timeout"],
      (reason) => metric(server, `http_server_refused_requests_total{reason="${reason}"}`)
    ),
    (counts) => counts.reduce((sum, count) => sum + count, 0)
  )

/** Counts the lists of proposals that waited too long for a lock, or exceeded their time limit. */
const refusedLate = (server: RunningServer) =>
  metric(server, "http_server_requests_total{route=\"/api/v1/proposals\",method=\"GET\",status=\"503\"}")

const statusesOf = (replies: ReadonlyArray<Reply>) => new Set(replies.map(({ status }) => status))

describe("a server under overload", () => {
  it.live("ends a request at its time limit with 503 and rolls its transaction back", () =>
    Effect.gen(function*() {
      const { server, sql, token, url } = yield* serving
      const { body } = yield* ask(server, "/api/v1/partners?size=1", { token })
      const path = `/api/v1/partners/${Object(body).content[0].partner_id}`
      // Serves only the request that exceeds its limit: on a slow machine, others might, too.
      const limited = yield* startMeasured(url, { LASTRO_REQUEST_TIMEOUT: "1s" })
      const patch = ask(limited, path, { token, method: "PATCH", json: { partner: { name: "Never Stored" } } })
      const refused = yield* Effect.orDie(
        sql.withTransaction(Effect.andThen(sql`select from partner for update`, patch))
      )
      assert.deepStrictEqual([refused.status, at(refused, "error", "code")], [503, "OUTCOME_UNKNOWN"])
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      const transactions = sql<{ readonly open: number }>`
        select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name = 'lastro' and state like 'idle in transaction%'`
      yield* Effect.orDie(Effect.repeat(transactions, { until: ([row]) => row?.open === 0 }))
      const stored = yield* ask(server, path, { token })
      assert.notStrictEqual(at(stored, "data", "name"), "Never Stored")
      assert.strictEqual(
        yield* metric(limited, "http_server_refused_requests_total{reason=\"deadline\"}"),
        1
      )
    }))

  it.live("T62 serves another caller while one caller's requests occupy its share of the slots", () =>
    Effect.gen(function*() {
      const { other, server, sql, token } = yield* serving
      const search = ask(server, "/api/v1/proposals?page=1", { token })
      const { reads, searches } = yield* whileProposalsAreLocked(
        sql,
        Effect.gen(function*() {
          const searches = yield* Effect.forkScoped(Effect.all(Array.from({ length: 16 }, () => search), parallel))
          const held = sql<{ readonly held: number }>`
            select count(*)::int as held from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and application_name = 'lastro'`
          // Within a transaction, PostgreSQL keeps its first reading of the activity until told otherwise.
          const readHeld = Effect.andThen(sql`select pg_stat_clear_snapshot()`, held)
          yield* Effect.orDie(Effect.repeat(readHeld, { until: ([row]) => row?.held === 4 }))
          const reads = yield* Effect.all(
            Array.from({ length: 20 }, () => ask(server, "/api/v1/users/me", { token: other }))
          )
          return { searches, reads }
        })
      )
      assert.deepStrictEqual(statusesOf(reads), new Set([200]))
      assert.strictEqual((yield* Fiber.join(searches)).length, 16)
    }))

  it.live("refuses what it cannot serve, stays live, and serves all requests afterwards", () =>
    Effect.gen(function*() {
      const { server, sql, token } = yield* serving
      const list = ask(server, "/api/v1/proposals?size=1", { token })
      const health: Array<number> = []
      const flood = yield* whileProposalsAreLocked(
        sql,
        Effect.gen(function*() {
          const flood = yield* Effect.forkScoped(Effect.all(Array.from({ length: 400 }, () => list), parallel))
          // A request is refused when the queue is full or, on a slow machine, when one has waited for too long.
          yield* Effect.repeat(refusedEarly(server), { until: (count) => count > 0 })
          for (let asked = 0; asked < 20; asked++) health.push((yield* ask(server, "/health/live")).status)
          return flood
        })
      )
      assert.deepStrictEqual(new Set(health), new Set([200]))
      const replies = yield* Fiber.join(flood)
      assert.deepStrictEqual(statusesOf(replies), new Set([200, 503]))
      const refused = replies.filter(({ status }) => status === 503)
      for (const reply of refused) assert.strictEqual(reply.headers.get("retry-after"), "1")
      assert.strictEqual((yield* refusedEarly(server)) + (yield* refusedLate(server)), refused.length)
      assert.strictEqual(yield* queuedReads(server), 0)
      const after = yield* Effect.all(Array.from({ length: 50 }, () => list), parallel)
      assert.deepStrictEqual(statusesOf(after), new Set([200]))
      const isLogged = Effect.sync(() => server.out().includes("overloaded; refused requests with 503"))
      yield* Effect.repeat(Effect.andThen(Effect.sleep("50 millis"), isLogged), { until: (logged) => logged })
    }))
})
