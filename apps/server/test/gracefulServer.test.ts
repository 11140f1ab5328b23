import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { GracefulServer } from "../src/layers/GracefulServer.ts"
import { ownListener } from "../src/layers/sharedPort.ts"
import { openConnection } from "./running/raw.ts"

const hour = 3_600_000

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** A server that answers `/later` when the test calls `finish`, and everything else at once. */
const openServer = (linger: number) =>
  Effect.gen(function*() {
    const late: Array<ServerResponse> = []
    const { first, others } = ownListener({ host: "127.0.0.1", port: 0, backlog: 511 })
    const server = new GracefulServer({ linger: () => linger, others })
    server.on("request", ({ url }, response) => url === "/later" ? late.push(response) : response.end(url))
    yield* Effect.callback<void>((resume) => {
      server.listen(first, () => resume(Effect.void))
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    const closed = new Promise<void>((resolve) => server.once("close", resolve))
    return {
      server,
      port: (server.address() as AddressInfo).port,
      /** The number of unanswered requests. */
      late: () => late.length,
      finish: () => late.splice(0).forEach((response) => response.end("late")),
      closed: Effect.promise(() => closed)
    }
  })

describe("a closing server", () => {
  it.live("answers requests on idle connections with Connection: close, and refuses new connections", () =>
    Effect.gen(function*() {
      const { closed, port, server } = yield* openServer(hour)
      const [idle, quiet] = yield* Effect.all([openConnection(port), openConnection(port)])
      idle.write(get("/one"))
      yield* idle.says("/one")
      server.close()
      assert.isTrue(yield* Effect.isFailure(Effect.scoped(openConnection(port))))
      idle.write(get("/two"))
      quiet.write(get("/three"))
      const [kept, first] = yield* Effect.all([idle.closed, quiet.closed])
      assert.match(kept, /\/oneHTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*\/two$/)
      assert.match(first, /Connection: close\r\n[^]*\/three$/)
      yield* closed
    }))

  it.live("sends Connection: close with responses in progress, and with the last one of a pipeline", () =>
    Effect.gen(function*() {
      const { closed, finish, late, port, server } = yield* openServer(hour)
      const connection = yield* openConnection(port)
      connection.write(get("/later") + get("/later"))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => late() === 2 })
      server.close()
      finish()
      const answers = (yield* connection.closed).split(/(?=HTTP\/1\.1)/)
      assert.deepStrictEqual(answers.map((answer) => answer.includes("Connection: close")), [false, true])
      answers.forEach((answer) => assert.match(answer, /late$/))
      yield* closed
    }))

  it.live("closes idle connections after the linger time", () =>
    Effect.gen(function*() {
      const { closed, port, server } = yield* openServer(1)
      const idle = yield* openConnection(port)
      idle.write(get("/one"))
      yield* idle.says("/one")
      server.close()
      assert.match(yield* idle.closed, /\/one$/)
      yield* closed
    }))
})

describe("a connection with too many pipelined requests", () => {
  it.live("gets the responses in progress and 429, and is closed; its further requests are not parsed", () =>
    Effect.gen(function*() {
      const { finish, late, port, server } = yield* openServer(hour)
      const parsed: Array<unknown> = []
      const emit = server.emit.bind(server)
      server.emit = (event: string | symbol, ...values: Array<unknown>) => {
        if (event === "request") parsed.push(values[0])
        return emit(event, ...values)
      }
      const connection = yield* openConnection(port)
      connection.write(get("/later").repeat(500))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => late() > 0 })
      const probe = yield* openConnection(port)
      probe.write(get("/one"))
      yield* probe.says("/one")
      const served = late()
      assert.isAtMost(served, 32)
      finish()
      const answers = (yield* connection.closed).split(/(?=HTTP\/1\.1)/)
      assert.strictEqual(answers.length, served + 1)
      assert.match(answers.at(-1) ?? "", /^HTTP\/1\.1 429 [^]*connection: close[^]*"RATE_LIMITED"/)
      answers.slice(0, -1).forEach((answer) => assert.match(answer, /^HTTP\/1\.1 200 [^]*late$/))
      // The probe is one of them.
      assert.strictEqual(parsed.length, served + 2)
    }))
})

describe("a burst of new connections", () => {
  it.live("is accepted in fewer iterations of the event loop than it has connections", () =>
    Effect.gen(function*() {
      const { port, server } = yield* openServer(hour)
      const expected = 64
      const iterations = yield* Effect.callback<number>((resume) => {
        let iteration = 0
        let accepted = 0
        const count = () => {
          iteration += 1
          if (accepted < expected) setImmediate(count)
        }
        server.on("connection", () => {
          accepted += 1
          if (accepted === expected) resume(Effect.succeed(iteration))
        })
        const sockets = Array.from({ length: expected }, () => connect(port, "127.0.0.1").on("error", () => {}))
        setImmediate(count)
        return Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
      })
      // The kernel distributes connections at random, so some sockets get more than others.
      assert.isBelow(iterations, expected / 2)
    }))
})
