import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { copyFile, readFile, writeFile } from "node:fs/promises"
import { Agent, get } from "node:http"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, signIn, tokenOf } from "./running/asking.ts"
import { runToEnd } from "./running/lastro.ts"
import { keyFile } from "./running/machine.ts"
import { openConnection } from "./running/raw.ts"
import { metricsPort, onPostgres, type RunningServer, startServer } from "./running/serving.ts"

/** Reads the processes that a process has started. */
const childrenOf = (pid: number): Effect.Effect<ReadonlyArray<number>> =>
  Effect.promise(async () => {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
    return text.trim().split(" ").map(Number).filter((child) => child > 0)
  })

/**
 * Settings with which a slow machine refuses no request of the load because of overload: a slot and a connection for each
 * request.
 */
const roomy = {
  LASTRO_CONCURRENCY: "64",
  LASTRO_DB_POOL: "32",
  LASTRO_DB_POOL_TIMEOUT: "60s",
  LASTRO_REQUEST_TIMEOUT: "60s"
}

/** Starts a server with two workers, and waits until both listen. */
const startPair = (environment: Record<string, string>) =>
  Effect.gen(function*() {
    const server = yield* startServer({ LASTRO_WORKERS: "2", LASTRO_METRICS_PORT: "0", ...roomy, ...environment })
    yield* listeners(server, 2)
    return server
  })

/** Waits until workers have listened this often in total. */
const listeners = (server: RunningServer, count: number) =>
  Effect.repeat(Effect.sleep("20 millis"), { until: () => server.out().split("\"of\":\"api\"").length > count })

const says = (server: RunningServer, text: string) =>
  Effect.repeat(Effect.sleep("20 millis"), { until: () => server.out().includes(text) })

/** Sends one request, and returns its status or its error. */
const send = (server: RunningServer, path: string, agent: Agent, token: string): Promise<number | string> =>
  new Promise((resolve) => {
    const { port } = server
    get({ host: "127.0.0.1", port, path, agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume()
      response.once("end", () => resolve(response.statusCode ?? 0))
      response.once("error", (error) => resolve(String(error)))
    }).once("error", (error) => resolve(String(error)))
  })

/** Sends requests on this many connections, each one after the other, until stopped. Returns the results of each. */
const startLoad = Effect.fnUntraced(function*(server: RunningServer, token: string, lanes: number) {
  let isStopped = false
  const load = Effect.forEach(Array.from({ length: lanes }, (_, lane) => lane), (lane) => {
    // Half of the clients open a connection for each request.
    const agent = new Agent({ keepAlive: lane % 2 === 0, maxSockets: 1 })
    const statuses: Array<number | string> = []
    return Effect.promise(() => send(server, "/api/v1/partners", agent, token)).pipe(
      Effect.map((status) => statuses.push(status)),
      Effect.repeat({ until: () => isStopped }),
      Effect.as(statuses),
      Effect.ensuring(Effect.sync(() => agent.destroy()))
    )
  }, { concurrency: "unbounded" })
  const running = yield* Effect.forkChild(load)
  return Effect.suspend(() => {
    isStopped = true
    return Fiber.join(running)
  })
})

const failuresOf = (statuses: ReadonlyArray<number | string>) => statuses.filter((status) => status !== 200)

const served = "http_server_requests_total{route=\"/api/v1/partners\",method=\"GET\",status=\"200\"}"

/** Reads the metrics page as values by series. */
const readMetrics = (server: RunningServer) =>
  Effect.gen(function*() {
    const port = yield* metricsPort(server)
    const text = yield* Effect.promise(() =>
      fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())
    )
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]))
    const values = new Map(lines.map((line) => {
      const end = line.lastIndexOf(" ")
      return [line.slice(0, end), Number(line.slice(end + 1))] as const
    }))
    assert.strictEqual(values.size, lines.length, "no series occurs twice")
    return { values, types }
  })

const isCounter = (types: ReadonlyMap<string, string>, series: string) =>
  types.get(series.replace(/\{.*$/, "")) === "counter"

describe.concurrent("a server with two workers", () => {
  it.live(
    "loses only the open requests of a killed worker, starts another, and its counters never decrease",
    () =>
      Effect.gen(function*() {
        const server = yield* startPair(onPostgres(yield* migratedDatabase))
        const token = tokenOf(yield* signIn(server))
        const workers = yield* childrenOf(server.pid)
        assert.strictEqual(workers.length, 2)
        const stop = yield* startLoad(server, token, 8)
        yield* Effect.repeat(readMetrics(server), { until: ({ values }) => (values.get(served) ?? 0) > 50 })
        const before = yield* readMetrics(server)
        process.kill(workers[0] ?? 0, "SIGKILL")
        yield* says(server, "worker ended; starting another")
        const during = yield* readMetrics(server)
        yield* listeners(server, 3)
        const results = yield* stop
        for (const statuses of results) assert.isAtMost(failuresOf(statuses).length, 1)
        const after = yield* readMetrics(server)
        for (const [earlier, later] of [[before, during], [during, after]] as const) {
          for (const [series, value] of earlier.values) {
            if (isCounter(earlier.types, series)) assert.isAtLeast(later.values.get(series) ?? 0, value, series)
          }
        }
        assert.strictEqual((yield* childrenOf(server.pid)).filter((pid) => workers.includes(pid)).length, 1)
      }),
    { timeout: 300_000 }
  )

  it.live(
    "loses no request at SIGHUP, reads files again, and keeps its workers if a file is wrong",
    () =>
      Effect.gen(function*() {
        const [file, next] = yield* Effect.all([keyFile("first"), keyFile("second")])
        const server = yield* startPair({ ...onPostgres(yield* migratedDatabase), LASTRO_SIGNING_KEYS: file })
        const token = tokenOf(yield* signIn(server))
        const kids = Effect.map(ask(server, "/.well-known/jwks.json"), ({ body }) => JSON.stringify(body))
        const workers = yield* childrenOf(server.pid)
        const count = (yield* readMetrics(server)).values.get(served) ?? 0

        const stop = yield* startLoad(server, token, 8)
        server.kill("SIGHUP")
        yield* says(server, "reloaded; all workers are replaced")
        const results = (yield* stop).flat()
        assert.deepStrictEqual(failuresOf(results), [])
        assert.strictEqual((yield* readMetrics(server)).values.get(served), count + results.length)
        const replaced = yield* childrenOf(server.pid)
        assert.deepStrictEqual([replaced.length, replaced.filter((pid) => workers.includes(pid)).length], [2, 0])
        assert.include(yield* kids, "first")

        yield* Effect.promise(() => copyFile(next, file))
        server.kill("SIGHUP")
        yield* Effect.repeat(Effect.sleep("20 millis"), {
          until: () => server.out().split("reloaded; all workers are replaced").length > 2
        })
        assert.include(yield* kids, "second")

        yield* Effect.promise(() => writeFile(file, "no keys"))
        server.kill("SIGHUP")
        yield* says(server, "reload ended; a new worker was not ready")
        assert.include(yield* kids, "second")
        server.kill("SIGTERM")
        assert.strictEqual(yield* server.ended, 0)
      }),
    { timeout: 300_000 }
  )

  it.live(
    "is not ready after SIGTERM, serves until its delay has passed, finishes requests, and exits with 0",
    () =>
      Effect.gen(function*() {
        const server = yield* startPair({ ...onPostgres(yield* migratedDatabase), LASTRO_STOP_DELAY: "1s" })
        const token = tokenOf(yield* signIn(server))
        const connections = yield* Effect.forEach(Array.from({ length: 8 }), () => openConnection(server.port))
        const request = `GET /api/v1/partners HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
        server.kill("SIGTERM")
        const ready = Effect.map(ask(server, "/health/ready"), ({ status }) => status)
        yield* Effect.repeat(ready, { until: (status) => status === 503 })
        assert.strictEqual((yield* ask(server, "/health/live")).status, 200)
        for (const connection of connections) connection.write(request)
        const answers = yield* Effect.forEach(connections, ({ closed }) => closed, { concurrency: "unbounded" })
        for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 OK/)
        assert.strictEqual(yield* server.ended, 0)
        assert.strictEqual(server.err().includes("lastro:"), false)
      }),
    { timeout: 300_000 }
  )

  it.live(
    "ends with its supervisor, and gives up with the exit code of a worker that cannot start",
    () =>
      Effect.gen(function*() {
        const server = yield* startPair(onPostgres(yield* migratedDatabase))
        server.kill("SIGKILL")
        // Its output ends when the last process that holds it open ends.
        yield* server.ended
        assert.isTrue(yield* Effect.isFailure(Effect.scoped(openConnection(server.port))))

        const { ending } = yield* runToEnd(["serve"], {
          ...onPostgres("postgres://nobody@127.0.0.1:1/none"),
          LASTRO_WORKERS: "2"
        })
        assert.strictEqual(ending, 3)
      }),
    { timeout: 300_000 }
  )
})
