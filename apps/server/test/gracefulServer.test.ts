import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { GracefulServer } from "../src/layers/GracefulServer.ts"
import { ownListener } from "../src/layers/sharedPort.ts"
import { openConnection } from "./running/raw.ts"

const hour = 3_600_000

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** A server that answers `/later` when the test calls `finish`, `/limited` with 429, and everything else at once. */
const openServer = (linger: number) =>
  Effect.gen(function*() {
    const late: Array<ServerResponse> = []
    const { first, others } = ownListener({ host: "127.0.0.1", port: 0, backlog: 511 })
    const server = new GracefulServer({ linger: () => linger, others })
    server.on("request", ({ url }, response) => {
      if (url === "/later") return late.push(response)
      response.statusCode = url === "/limited" ? 429 : 200
      return response.end(url)
    })
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
      untilLate: Effect.repeat(Effect.sleep("5 millis"), { until: () => late.length > 0 }),
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
      const { closed, finish, port, server, untilLate } = yield* openServer(hour)
      const connection = yield* openConnection(port)
      connection.write(get("/later") + get("/later"))
      yield* untilLate
      server.close()
      finish()
      yield* untilLate
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

/** Counts the requests that Node has parsed. */
const countParsed = (server: GracefulServer): () => number => {
  let parsed = 0
  const emit = server.emit.bind(server)
  server.emit = (event: string | symbol, ...values: Array<unknown>) => {
    if (event === "request") parsed += 1
    return emit(event, ...values)
  }
  return () => parsed
}

const answersOf = (text: string): ReadonlyArray<string> => text.split(/(?=HTTP\/1\.1)/)

describe("a connection with pipelined requests", () => {
  it.live("gets its responses in order; the work for each starts after the response before it", () =>
    Effect.gen(function*() {
      const { finish, late, port, untilLate } = yield* openServer(hour)
      const connection = yield* openConnection(port)
      connection.write(get("/one") + get("/later") + get("/later") + get("/two"))
      yield* untilLate
      assert.strictEqual(late(), 1)
      finish()
      yield* untilLate
      assert.strictEqual(late(), 1)
      finish()
      yield* connection.says("/two")
      connection.write("GET /three HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + get("/four"))
      const answers = answersOf(yield* connection.closed)
      const texts = answers.map((answer) => answer.split("\r\n\r\n")[1])
      assert.deepStrictEqual(texts, ["/one", "late", "late", "/two", "/three"])
    }))

  it.live("T62 leaves turns to other connections", () =>
    Effect.gen(function*() {
      const { port, server } = yield* openServer(hour)
      const served: Array<string | undefined> = []
      server.on("request", ({ url }) => served.push(url))
      const [first, second] = yield* Effect.all([openConnection(port), openConnection(port)])
      first.write(get("/a").repeat(16) + get("/first"))
      second.write(get("/b").repeat(16) + get("/second"))
      yield* Effect.all([first.says("/first"), second.says("/second")])
      // Without turns, each connection would have all requests of a packet served together.
      const changes = served.filter((url, index) => index > 0 && url !== served[index - 1]).length
      assert.isAbove(changes, 8, served.join())
    }))

  it.live("T62 gets at most 32 responses and then 429 if it has too many; the rest is not parsed", () =>
    Effect.gen(function*() {
      const { finish, late, port, server, untilLate } = yield* openServer(hour)
      const parsed = countParsed(server)
      const connection = yield* openConnection(port)
      connection.write(get("/later") + get("/two").repeat(499))
      yield* untilLate
      const probe = yield* openConnection(port)
      probe.write(get("/one"))
      yield* probe.says("/one")
      assert.strictEqual(late(), 1)
      finish()
      const answers = answersOf(yield* connection.closed)
      assert.strictEqual(answers.length, 33)
      assert.match(answers.at(-1) ?? "", /^HTTP\/1\.1 429 [^]*connection: close[^]*"RATE_LIMITED"/)
      answers.slice(0, -1).forEach((answer) => assert.match(answer, /^HTTP\/1\.1 200 /))
      // The probe is one of them.
      assert.strictEqual(parsed(), 34)
    }))

  it.live("T62 is closed after a response 429 if it has sent further requests, which are not parsed", () =>
    Effect.gen(function*() {
      const { port, server } = yield* openServer(hour)
      const parsed = countParsed(server)
      const connection = yield* openConnection(port)
      connection.write(get("/limited"))
      yield* connection.says("/limited")
      connection.write(get("/limited").repeat(500))
      const answers = answersOf(yield* connection.closed)
      assert.strictEqual(answers.length, 3)
      answers.forEach((answer) => assert.match(answer, /^HTTP\/1\.1 429 /))
      assert.match(answers.at(-1) ?? "", /connection: close/)
      assert.strictEqual(parsed(), 3)
    }))

  it.live("is closed after a late response 429 if further requests wait, none of which is served", () =>
    Effect.gen(function*() {
      const { port, server } = yield* openServer(hour)
      const served: Array<string | undefined> = []
      server.on("request", ({ url }) => served.push(url))
      const connection = yield* openConnection(port)
      connection.write(get("/one") + get("/limited") + get("/two") + get("/three"))
      const answers = answersOf(yield* connection.closed)
      assert.deepStrictEqual(answers.map((answer) => answer.slice(9, 12)), ["200", "429", "429"])
      assert.deepStrictEqual(served, ["/one", "/limited"])
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
