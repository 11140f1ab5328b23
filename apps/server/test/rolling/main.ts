import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect, Scope } from "effect"
import { lastro, startDatabase } from "../ordeal/Database.ts"
import { ask, at, signIn, tokenOf } from "../running/asking.ts"
import { applicationClient, idOf, isSettled } from "../running/desk.ts"
import { freePort } from "../running/machine.ts"
import { onPostgres, startServer } from "../running/serving.ts"
import { startLoad } from "./load.ts"
import { type Proxy, startProxy } from "./proxy.ts"

// Restarts two nodes in turn behind each proxy of docs/proxies.md, under load, and counts the failed requests.
// Arguments: the proxies (default: haproxy nginx). ROLLING_ROUNDS: restarts of each node (default: 2). ROLLING_DELAY:
// the stop delay (default: 5s).

const rounds = Number(process.env["ROLLING_ROUNDS"] ?? 2)
const delay = process.env["ROLLING_DELAY"] ?? "5s"
const isProxy = (name: string): name is Proxy => name === "haproxy" || name === "nginx"
const chosen = process.argv.slice(2)
const proxies: ReadonlyArray<string> = chosen.length === 0 ? ["haproxy", "nginx"] : chosen

const write = (line: string): void => void process.stdout.write(`${line}\n`)

/** A node that can be restarted on the same port. */
const openNode = Effect.fnUntraced(function*(database: string) {
  const port = yield* freePort
  const scope = yield* Effect.scope
  const start = Scope.provide(
    startServer({
      ...onPostgres(database),
      PORT: String(port),
      LASTRO_STOP_DELAY: delay,
      LASTRO_TRUSTED_PROXIES: "127.0.0.0/8"
    }),
    scope
  )
  let server = yield* start
  const logs: Array<string> = []
  return {
    /** The warnings of all processes of this node. */
    warnings: () =>
      [...logs, server.out()].join("\n").split("\n").filter((line) => /"level":"(WARN|ERROR)"/.test(line)),
    port,
    restart: Effect.gen(function*() {
      const begun = performance.now()
      server.kill("SIGTERM")
      const ending = yield* server.ended
      const stopped = performance.now() - begun
      logs.push(server.out())
      server = yield* start
      return { ending, stopped }
    })
  }
})

/** Waits until a request through the proxy succeeds. The proxy first needs a few health checks. */
const untilUp = (origin: string) =>
  Effect.tryPromise(() => fetch(`${origin}/health/ready`)).pipe(
    Effect.map(({ status }) => status === 200),
    Effect.orElseSucceed(() => false),
    Effect.delay("100 millis"),
    Effect.repeat({ until: (up) => up })
  )

const restartBehind = Effect.fnUntraced(function*(proxy: Proxy) {
  const database = yield* startDatabase
  const url = `postgres://${lastro}@127.0.0.1:${database.port()}/${lastro}`
  const one = yield* openNode(url)
  const two = yield* openNode(url)
  const origin = yield* startProxy(proxy, [one.port, two.port])
  yield* untilUp(origin)
  const server = { url: origin }
  const token = tokenOf(yield* signIn(server))
  const shop = applicationClient(server, token)
  const id = idOf(yield* shop.open(sandboxCpf("00")))
  const etag = (yield* shop.until(id, isSettled)).headers.get("etag") ?? ""
  const root = at(yield* ask(server, "/api/v1/partners", { token }), "content", 0, "partner_id")
  const list = { method: "GET", path: `/api/v1/partners?parent_id=${String(root)}`, expected: 200 } as const
  const read = { method: "GET", path: `/api/v1/fgts/applications/${id}`, expected: 200 } as const
  const open = {
    method: "POST",
    path: "/api/v1/fgts/applications",
    json: { external_id: "rolling", customer: { cpf: sandboxCpf("00"), birth_date: "1990-05-17" } },
    expected: 201
  } as const
  const poll = {
    method: "GET",
    path: `/api/v1/fgts/applications/${id}/status?wait=30`,
    headers: { "if-none-match": etag },
    expected: 304
  } as const
  const load = yield* startLoad(origin, token, [
    ...Array.from({ length: 8 }, () => ({ sent: read, pauseMs: 10 })),
    ...Array.from({ length: 4 }, () => ({ sent: list, pauseMs: 50 })),
    ...Array.from({ length: 4 }, () => ({ sent: open, pauseMs: 200 })),
    // Clients that pause between requests use connections that have been idle.
    ...Array.from({ length: 4 }, () => ({ sent: read, pauseMs: 1_700 })),
    ...Array.from({ length: 4 }, () => ({ sent: poll, pauseMs: 0 }))
  ])
  for (let round = 1; round <= rounds; round++) {
    for (const [name, node] of [["one", one], ["two", two]] as const) {
      yield* Effect.sleep("4 seconds")
      const { ending, stopped } = yield* node.restart
      write(`${proxy}: node ${name} stopped after ${(stopped / 1_000).toFixed(1)} s with ${ending}, and started again`)
    }
  }
  yield* Effect.sleep("4 seconds")
  const { failed, sent, slowestMs } = yield* load.stop
  const failures = Array.from(failed.values()).reduce((sum, count) => sum + count, 0)
  write(`${proxy}: ${sent} requests, ${failures} failed, slowest ${Math.round(slowestMs)} ms`)
  for (const [reason, count] of failed) write(`  ${count} x ${reason}`)
  for (const line of [...one.warnings(), ...two.warnings()]) write(`  ${line}`)
  return failures
})

const rolling = Effect.gen(function*() {
  let failures = 0
  for (const proxy of proxies) {
    if (!isProxy(proxy)) return yield* Effect.die(`unknown proxy ${proxy}`)
    failures += yield* Effect.scoped(restartBehind(proxy))
  }
  if (failures > 0) return yield* Effect.fail("requests failed")
})

NodeRuntime.runMain(rolling, { disableErrorReporting: false })
