import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { Duration, Effect, Fiber, Schedule } from "effect"
import { spawn } from "node:child_process"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { startProxy } from "../../../packages/adapters-sql/test/proxy.ts"
import { ask, at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { administer } from "./running/databases.ts"
import { applicationClient, idOf, isSettled } from "./running/desk.ts"
import { killGroup, lastro, type Running } from "./running/lastro.ts"
import { onPostgres, type RunningServer, startServer } from "./running/serving.ts"

/** The deadline of a request: a wait for a connection, and one statement. The bound leaves room for a slow machine. */
const deadline = Duration.seconds(20)

const aPartner = (name: string, document_number: string) => ({
  partner: { type: "pj", name, email: "shop@example.com", phone: "11987654321", document_number }
})

/** One request to each flow that needs the database. */
const flows = (server: RunningServer, token: string): ReadonlyArray<Effect.Effect<Reply>> => [
  ask(server, "/api/v1/partners", { token }),
  ask(server, "/api/v1/users?size=1", { token }),
  ask(server, "/api/v1/partners", { token, json: aPartner("Silent", "12ABC34501DE35") }),
  applicationClient(server, token).open(sandboxCpf("00"), "silent"),
  signIn(server)
]

/** Sends a request, and checks that the response arrives in time. */
const inTime = Effect.fnUntraced(function*(request: Effect.Effect<Reply>) {
  const [elapsed, reply] = yield* Effect.timed(request)
  assert.isBelow(Duration.toMillis(elapsed), Duration.toMillis(deadline), `${reply.status} ${reply.text}`)
  return { reply, elapsed: Duration.toMillis(elapsed) }
})

const all = (requests: ReadonlyArray<Effect.Effect<Reply>>) =>
  Effect.all(requests.map(inTime), { concurrency: "unbounded" })

/**
 * Stops a server as Docker does: SIGTERM, and SIGKILL after ten seconds. Another process sends it, so that a pause of
 * this one does not count. Returns the exit code.
 */
const stopInTime = ({ ended, kill, pid }: Running) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      kill("SIGTERM")
      return spawn("sh", ["-c", `sleep 10 && kill -KILL ${pid}`], { detached: true, stdio: "ignore" })
    }),
    () => Effect.tap(ended, (code) => Effect.sync(() => assert.notStrictEqual(code, "SIGKILL"))),
    ({ pid: docker }) => Effect.sync(() => docker !== undefined && killGroup(docker))
  )

/** Stops a server that serves. Some connection may not have been closed. */
const endsInTime = (server: RunningServer) =>
  Effect.map(stopInTime(server), (code) => {
    if (code !== 0) assert.match(server.out(), /stop timed out while closing [^"]+; exiting with 1/)
  })

describe.concurrent("T59 a database behind a network that swallows packets", () => {
  it.live(
    "every request gets a response in time, everything works again after healing, and SIGTERM ends the process",
    () =>
      Effect.gen(function*() {
        const database = yield* migratedDatabase
        const proxy = yield* startProxy(database)
        const server = yield* startServer(onPostgres(proxy.url))
        const token = tokenOf(yield* signIn(server))

        // Opens all connections of the pool.
        yield* Effect.all(Array.from({ length: 4 }, () => flows(server, token)).flat(), { concurrency: "unbounded" })

        proxy.swallow()
        const first = yield* Effect.forkChild(all(Array.from({ length: 8 }, () => flows(server, token)).flat()))
        yield* Effect.sleep("13 seconds")
        const later = yield* all(flows(server, token))
        const silent = [...yield* Fiber.join(first), ...later]
        for (const { reply } of silent) {
          assert.strictEqual(reply.status, 503, reply.text)
          assert.isNotNull(reply.headers.get("retry-after"))
        }
        assert.strictEqual((yield* ask(server, "/health/live")).status, 200)

        proxy.heal()
        const healthy = Effect.gen(function*() {
          for (const reply of yield* Effect.all(flows(server, token), { concurrency: "unbounded" })) {
            if (reply.status >= 500) return yield* Effect.fail(reply.text)
          }
        })
        const [recovery] = yield* Effect.timed(Effect.retry(healthy, Schedule.spaced("200 millis")))
        assert.isBelow(Duration.toMillis(recovery), 15_000)
        const shop = applicationClient(server, token)
        const id = idOf(yield* shop.open(sandboxCpf("00"), "healed"))
        assert.strictEqual(at(yield* shop.until(id, isSettled), "status"), "QUOTED")
        // Fails while a count is not folded: a division by zero.
        yield* Effect.retry(
          Effect.sandbox(
            administer(database, "select 1 / (case when exists (select from subtree_count_delta) then 0 else 1 end)")
          ),
          { schedule: Schedule.spaced("200 millis"), times: 50 }
        )

        proxy.swallow()
        const unanswered = yield* Effect.forkChild(
          Effect.exit(Effect.all(flows(server, token), { concurrency: "unbounded" }))
        )
        yield* Effect.sleep("500 millis")
        yield* endsInTime(server)
        yield* Fiber.interrupt(unanswered)
      }),
    180_000
  )

  it.live("SIGTERM ends a server whose requests have ended, and one that still starts", () =>
    Effect.gen(function*() {
      const proxy = yield* startProxy(yield* migratedDatabase)
      const server = yield* startServer(onPostgres(proxy.url))
      proxy.swallow()
      yield* Effect.sleep("1 second")
      const starting = yield* lastro(["serve"], onPostgres(proxy.url))
      yield* Effect.sleep("3 seconds")
      yield* Effect.all([stopInTime(starting), endsInTime(server)], { concurrency: 2 })
    }), 60_000)
})
