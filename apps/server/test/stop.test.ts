import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { isOrdeal } from "../../../test/rounds.ts"
import { ask, signIn, tokenOf } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { applicationClient, idOf, isSettled, twentyWaiting } from "./running/desk.ts"
import { type Environment, running } from "./running/lastro.ts"
import { openConnection } from "./running/raw.ts"
import { credentials, listening, onPostgres, type RunningServer, startServer } from "./running/serving.ts"

const body = JSON.stringify({
  partner: {
    type: "pj",
    name: "Created while stopping",
    email: "late@example.com",
    phone: "11987654321",
    document_number: "12ABC34501DE35"
  }
})

/** A request whose head has arrived and whose body has not. */
const halfSent = Effect.fnUntraced(function*(server: RunningServer, token: string) {
  const connection = yield* openConnection(server.port)
  connection.write(
    `POST /api/v1/partners HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  )
  // The server requests the body, so the request is active.
  yield* connection.says("100 Continue")
  return connection
})

/** Starts a server with `pnpm start`, which forwards signals to it. */
const startWithPnpm = (environment: Environment) =>
  Effect.flatMap(running("pnpm", ["start"], { ...credentials, ...environment, PORT: "0" }), listening)

const refusesConnections = (port: number) => Effect.isFailure(Effect.scoped(openConnection(port)))

describe.concurrent("a server stop", () => {
  it.live(
    "by SIGINT to pnpm refuses connections, finishes active requests, ignores idle connections and exits with 0",
    () =>
      Effect.gen(function*() {
        const server = yield* startWithPnpm(onPostgres(yield* migratedDatabase))
        const token = tokenOf(yield* signIn(server))
        yield* openConnection(server.port)
        const inFlight = yield* halfSent(server, token)
        server.kill("SIGINT")
        yield* refusesConnections(server.port).pipe(Effect.repeat({ until: (refused) => refused }))
        inFlight.write(body)
        yield* inFlight.says("HTTP/1.1 201 Created")
        assert.strictEqual(yield* server.ended, 0)
        assert.strictEqual(server.err().includes("lastro:"), false)
      })
  )

  for (const [name, database] of Object.entries(databases)) {
    // On PGlite in `pnpm ordeal:races` only: the test of the start stops a server on PGlite in every run.
    if (name === "PGlite" && !isOrdeal) continue
    it.live(`by SIGTERM to node ends long polls, finishes active requests and exits with 0, on ${name}`, () =>
      Effect.gen(function*() {
        const server = yield* startServer(yield* database)
        const token = tokenOf(yield* signIn(server))
        const shop = applicationClient(server, token)
        const id = idOf(yield* shop.open(sandboxCpf("00")))
        const known = (yield* shop.until(id, isSettled)).headers.get("etag")
        const { answers } = yield* twentyWaiting(shop, id, known)
        yield* openConnection(server.port)
        const inFlight = yield* halfSent(server, token)
        server.kill("SIGTERM")
        yield* refusesConnections(server.port).pipe(Effect.repeat({ until: (refused) => refused }))
        // Long polls held until the stop timeout of ten seconds would be disconnected.
        assert.deepStrictEqual((yield* answers).map(({ status }) => status), Array.from({ length: 20 }, () => 304))
        inFlight.write(body)
        yield* inFlight.says("HTTP/1.1 201 Created")
        assert.strictEqual(yield* server.ended, 0)
        assert.strictEqual(server.err().includes("lastro:"), false)
      }))
  }

  it.live("with a delay is not ready, serves requests until the delay has passed, and ends at once at a second signal", () =>
    Effect.gen(function*() {
      const server = yield* startServer({ ...onPostgres(yield* migratedDatabase), LASTRO_STOP_DELAY: "10m" })
      const status = (path: string) => Effect.map(ask(server, path), ({ status }) => status)
      assert.strictEqual(yield* status("/health/ready"), 200)
      server.kill("SIGTERM")
      yield* Effect.repeat(status("/health/ready"), { until: (status) => status === 503 })
      const logged = "received SIGTERM; not ready, and serving requests for another 10m"
      while (!server.out().includes(logged)) yield* Effect.sleep("20 millis")
      // Each on a new connection.
      assert.deepStrictEqual([yield* status("/health/live"), (yield* signIn(server)).status], [200, 200])
      server.kill("SIGTERM")
      assert.strictEqual(yield* server.ended, 143)
    }))

  it.live("follows the exit of the npx that started the server", () =>
    Effect.gen(function*() {
      const environment = { ...credentials, ...onPostgres(yield* migratedDatabase), PORT: "0" }
      // Like npm: a process between this one and pnpm that does not forward the signal.
      const npx = yield* running("bash", ["-c", "pnpm start; exit 0"], {
        ...environment,
        npm_config_npm_version: "11.0.0"
      })
      const server = yield* listening(npx)
      npx.kill("SIGKILL")
      // Its output ends when the last process that holds it open ends.
      yield* npx.ended
      assert.isTrue(yield* refusesConnections(server.port))
    }))
})
