import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { applicationClient, idOf, isSettled } from "./running/desk.ts"
import { serveInProcess } from "./running/inProcess.ts"
import { lastro } from "./running/lastro.ts"
import { freePort, keyFile } from "./running/machine.ts"
import { credentials, metricsPort, onPostgres, type RunningServer, startServer } from "./running/serving.ts"

const statusesOf = (replies: ReadonlyArray<Reply>) => new Set(replies.map(({ status }) => status))

/** Sends twenty concurrent token requests, each with its own X-Forwarded-For. */
const fromTwentyAddresses = (server: Pick<RunningServer, "url">, address: (index: number) => string) =>
  Effect.map(
    Effect.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(server, "/api/v1/oauth/token", {
          form: { grant_type: "nothing" },
          headers: { "X-Forwarded-For": address(index) }
        })),
      { concurrency: "unbounded" }
    ),
    statusesOf
  )

const own = (index: number) => `192.0.2.${index}`

const isReady = (server: Pick<RunningServer, "url">) =>
  Effect.tryPromise(() => fetch(`${server.url}/health/ready`)).pipe(
    Effect.map(({ status }) => status === 200),
    Effect.orElseSucceed(() => false)
  )

describe.concurrent("the settings", () => {
  it.live("HOST, LASTRO_SIGNING_KEYS, LASTRO_ISSUER, LASTRO_METRICS_PORT and LASTRO_TRUSTED_PROXIES take effect", () =>
    Effect.gen(function*() {
      const server = yield* startServer({
        ...onPostgres(yield* migratedDatabase),
        HOST: "0.0.0.0",
        LASTRO_SIGNING_KEYS: yield* keyFile("the-operators-key"),
        LASTRO_METRICS_PORT: "0",
        LASTRO_TRUSTED_PROXIES: "10.0.0.0/8,127.0.0.0/8",
        LASTRO_RATE_LIMIT: "1:5"
      })
      assert.include(server.out(), "\"of\":\"api\",\"host\":\"0.0.0.0\"")
      const token = tokenOf(yield* signIn(server))
      const [header = "", claims = ""] = token.split(".").map((part) => Buffer.from(part, "base64url").toString())
      assert.include(header, "the-operators-key")
      assert.include(claims, "\"iss\":\"https://lastro.test\"")
      assert.strictEqual(at(yield* ask(server, "/.well-known/jwks.json"), "keys", 0, "kid"), "the-operators-key")

      assert.deepStrictEqual(yield* fromTwentyAddresses(server, own), new Set([400]))
      assert.deepStrictEqual(yield* fromTwentyAddresses(server, () => "192.0.2.99"), new Set([400, 429]))
      assert.deepStrictEqual(
        yield* fromTwentyAddresses(server, (index) => `${own(index)}, 203.0.113.9`),
        new Set([400, 429])
      )
      const listed = yield* Effect.all(Array.from({ length: 20 }, () => ask(server, "/api/v1/groups", { token })), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(statusesOf(listed), new Set([200, 429]))

      const metrics = yield* ask({ url: `http://127.0.0.1:${yield* metricsPort(server)}` }, "/metrics")
      assert.match(metrics.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
      const count = (labels: string) => new RegExp(`^http_server_requests_total\\{${labels}\\} (\\d+)$`, "m")
      const [, refused] = count("route=\"/api/v1/oauth/token\",method=\"POST\",status=\"429\"").exec(metrics.text) ?? []
      assert.isAbove(Number(refused), 0)
      const jwks = "route=\"/.well-known/jwks.json\",method=\"GET\",status=\"200\""
      assert.strictEqual(count(jwks).exec(metrics.text)?.[1], "1")
      assert.include(metrics.text, "# TYPE http_server_request_duration_seconds histogram")
      assert.include(metrics.text, `http_server_request_duration_seconds_bucket{${jwks},le="+Inf"} 1`)
      assert.include(metrics.text, `http_server_request_duration_seconds_count{${jwks}} 1`)
      assert.strictEqual((yield* ask(server, "/metrics")).status, 404)
    }))

  it.live("PORT, LASTRO_LOG_LEVEL and LASTRO_DEMO take effect, and no proxy is trusted by default", () =>
    Effect.gen(function*() {
      const port = yield* freePort
      const server = { url: `http://127.0.0.1:${port}` }
      const process = yield* lastro(["serve"], {
        ...onPostgres(yield* migratedDatabase),
        ...credentials,
        PORT: String(port),
        LASTRO_LOG_LEVEL: "error",
        LASTRO_DEMO: "on",
        LASTRO_RATE_LIMIT: "1:5"
      })
      const ready = isReady(server).pipe(Effect.delay("50 millis"), Effect.repeat({ until: (ready) => ready }))
      assert.strictEqual(yield* Effect.raceFirst(ready, process.ended), true, process.err())
      const token = tokenOf(yield* signIn(server))
      assert.isAbove(Number(at(yield* ask(server, "/api/v1/partners", { token }), "page", "total_elements")), 5)
      assert.deepStrictEqual(yield* fromTwentyAddresses(server, own), new Set([400, 429]))
      assert.strictEqual((yield* ask(server, "/metrics")).status, 404)
      const description = yield* ask(server, "/openapi.json")
      assert.match(String(at(description, "openapi")), /^3\.1\./)
      const page = yield* ask(server, "/docs")
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
      assert.include((yield* ask(server, "/openapi.json")).text, "/api/v1/partners")
      const shop = applicationClient(server, token)
      const [demonstrated] = at(yield* shop.search("demo-1"), "data") as ReadonlyArray<Record<string, unknown>>
      const quoted = yield* shop.until(String(demonstrated?.["application_id"]), isSettled)
      assert.strictEqual(at(quoted, "status"), "QUOTED")
      assert.strictEqual(process.out(), "")
    }))

  it.live("LASTRO_DEMO opens applications that several sandboxes quote", () =>
    Effect.gen(function*() {
      const server = yield* serveInProcess({
        ...onPostgres(yield* migratedDatabase),
        LASTRO_DEMO: "on",
        LASTRO_LENDER: "",
        LASTRO_LENDERS: "quick=sandbox,slow=sandbox"
      })
      const shop = applicationClient(server, tokenOf(yield* signIn(server)))
      const [demonstrated] = at(yield* shop.search("demo-1"), "data") as ReadonlyArray<Record<string, unknown>>
      const quoted = yield* shop.until(String(demonstrated?.["application_id"]), isSettled)
      assert.strictEqual(at(quoted, "status"), "QUOTED")
    }))

  it.live("LASTRO_LENDER_URL sets the lender, which receives no calls for demonstration customers", () =>
    Effect.gen(function*() {
      const lender = yield* recordingLenderServer()
      const server = yield* serveInProcess({
        ...onPostgres(yield* migratedDatabase),
        LASTRO_DEMO: "on",
        LASTRO_LENDER: "http",
        LASTRO_LENDER_URL: `${lender.url}/`
      })
      const shop = applicationClient(server, tokenOf(yield* signIn(server)))
      assert.deepStrictEqual(at(yield* shop.search("demo-1"), "data"), [])
      const refused = yield* shop.until(idOf(yield* shop.open(sandboxCpf("89"))), isSettled)
      assert.strictEqual(at(refused, "status"), "REJECTED")
      assert.deepStrictEqual(lender.calls.map(({ method, path }) => `${method} ${path}`), ["POST /quotes"])
    }))
})
