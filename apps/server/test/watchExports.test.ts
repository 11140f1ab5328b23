import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import { jsonLine } from "../src/layers/logs.ts"
import { layerWatchedClient } from "../src/layers/watchExports.ts"

/** Serves a collector on this host. Default: on a free port. Returns the port. */
const collector = (respond: (response: ServerResponse) => void, port = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => respond(response)).listen(port, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.promise(() => new Promise((done) => server.close(done).closeAllConnections()))
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** Exports to a port. Returns the function that sends a request, and returns the lines that were logged meanwhile. */
const exporter = Effect.fnUntraced(function*(port: number, timeout?: "50 millis") {
  const lines: Array<Record<string, unknown>> = []
  const logger = Logger.map(jsonLine, (line) => {
    lines.push(JSON.parse(line))
  })
  const endpoint = `http://127.0.0.1:${port}/v1/traces`
  const url = `http://user:secret@127.0.0.1:${port}/v1/traces?key=secret`
  const context = yield* Layer.build(layerWatchedClient({ signal: "traces", url, ...timeout && { timeout } }))
  return Effect.flatMap(
    HttpClient.HttpClient,
    (client) => Effect.exit(client.execute(HttpClientRequest.post(endpoint)))
  ).pipe(
    Effect.provide(context),
    Effect.provide(Logger.layer([logger])),
    Effect.map(() =>
      lines.splice(0).map((line) => {
        assert.strictEqual(line["endpoint"], endpoint)
        return [line["level"], line["message"], line["reason"]]
      })
    )
  )
})

const failed = (reason: string) => ["WARN", "exporting traces failed; dropping them until it works again", reason]
const works = ["INFO", "exporting traces works again", undefined]

describe("the export of telemetry", () => {
  it.live("logs once when it begins to fail, and once when it works again", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(collector(() => undefined))
      const send = yield* exporter(port)
      assert.deepStrictEqual([yield* send, yield* send], [[failed("ECONNREFUSED")], []])
      let status = 200
      yield* collector((response) => response.writeHead(status).end(), port)
      assert.deepStrictEqual([yield* send, yield* send], [[works], []])
      status = 401
      assert.deepStrictEqual([yield* send, yield* send], [[failed("status 401")], []])
      status = 200
      assert.deepStrictEqual([yield* send, yield* send], [[works], []])
    }))

  it.live("ends the request to a collector that does not respond, and logs it once", () =>
    Effect.gen(function*() {
      const send = yield* exporter(yield* collector(() => undefined), "50 millis")
      assert.deepStrictEqual([yield* send, yield* send], [[failed("no response in time")], []])
    }))
})
