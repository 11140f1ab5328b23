import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { type Timeouts } from "../src/layers/api.ts"
import { ask } from "./running/asking.ts"
import { serveInProcess } from "./running/inProcess.ts"
import { openConnection } from "./running/raw.ts"
import { onPostgres } from "./running/serving.ts"

const hour = 3_600_000
const patient: Timeouts = { head: hour, request: hour, stop: hour }

const head = "POST /api/v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"

/** Serves the API with these timeouts. Returns its port. */
const serve = Effect.fnUntraced(function*(timeouts: Timeouts) {
  return (yield* serveInProcess(onPostgres(yield* migratedDatabase), timeouts)).port
})

/** Sends one character every 50 ms until the connection closes. */
const drip = Effect.fnUntraced(function*(port: number, start: string) {
  const connection = yield* openConnection(port)
  connection.write(start)
  const dripping = yield* Effect.forkChild(Effect.forever(
    Effect.andThen(Effect.sync(() => connection.write("a")), Effect.sleep("50 millis"))
  ))
  const came = yield* connection.closed
  yield* Fiber.interrupt(dripping)
  return came
})

const servesOthers = (port: number) =>
  Effect.gen(function*() {
    for (let asked = 0; asked < 20; asked++) {
      const { status } = yield* ask({ url: `http://127.0.0.1:${port}` }, "/health/live")
      assert.strictEqual(status, 200)
    }
  })

describe.concurrent("slow clients", () => {
  it.live("T31 closes connections with slow headers and serves others meanwhile", () =>
    Effect.gen(function*() {
      const port = yield* serve({ ...patient, head: 1_000 })
      const [slow] = yield* Effect.all(
        [
          Effect.all(Array.from({ length: 20 }, () => drip(port, "GET /health/live HTTP/1.1\r\nX-Slow: ")), {
            concurrency: "unbounded"
          }),
          servesOthers(port)
        ],
        { concurrency: "unbounded" }
      )
      slow.forEach((came) => assert.match(came, /^HTTP\/1\.1 408 /))
    }))

  it.live("T31 closes connections with slow bodies and serves others meanwhile", () =>
    Effect.gen(function*() {
      const port = yield* serve({ ...patient, head: 1_000, request: 1_500 })
      const [slow] = yield* Effect.all(
        [
          Effect.all(Array.from({ length: 20 }, () => drip(port, `${head}\r\n`)), { concurrency: "unbounded" }),
          servesOthers(port)
        ],
        { concurrency: "unbounded" }
      )
      slow.forEach((came) => assert.match(came, /^HTTP\/1\.1 408 /))
    }))
})

/** A server that can be stopped before the test ends. */
const stoppable = Effect.fnUntraced(function*(patience: Timeouts) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
  return { port: yield* Scope.provide(serve(patience), scope), stop: Scope.close(scope, Exit.void) }
})

describe.concurrent("a server stop", () => {
  it.live("does not wait for idle connections", () =>
    Effect.gen(function*() {
      const { port, stop } = yield* stoppable(patient)
      const [silent, begun, served] = yield* Effect.all([
        openConnection(port),
        openConnection(port),
        openConnection(port)
      ])
      begun.write("GET /health/live HTTP/1.1\r\n")
      served.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
      yield* served.says("200 OK")
      yield* stop
      assert.deepStrictEqual(yield* Effect.all([silent.closed, begun.closed]), ["", ""])
      assert.match(yield* served.closed, /^HTTP\/1\.1 200 /)
    }))

  it.live("waits at most for its timeout", () =>
    Effect.gen(function*() {
      const { port, stop } = yield* stoppable({ ...patient, stop: 200 })
      const endless = yield* openConnection(port)
      endless.write(`${head}Expect: 100-continue\r\n\r\n`)
      yield* endless.says("100 Continue")
      yield* stop
      assert.match(yield* endless.closed, /^HTTP\/1\.1 100 /)
    }))
})
