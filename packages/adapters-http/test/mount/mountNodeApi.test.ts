import { assert, describe, it } from "@effect/vitest"
import { type MountOptions } from "@lastro/adapters-http"
import { mountNodeApi } from "@lastro/adapters-http/node"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { createServer, request } from "node:http"
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { sendRaw } from "../raw.ts"
import { blockClientLookup } from "./blockClientLookup.ts"
import { application, clientOf, codeOf, issuer, openFixture, partner } from "./fixture.ts"
import { listen } from "./listen.ts"
import { recordStatusWatch } from "./recordStatusWatch.ts"

/** Serves the API with a node server, which closes before the API. */
const served = async (options: Partial<MountOptions> = {}) => {
  const fixture = await openFixture()
  const { layer, ...noted } = recordStatusWatch()
  const api = await mountNodeApi(Layer.provideMerge(layer, fixture.layer), { issuer, ...options })
  const server = await listen(createServer(api.handle))
  const client = await clientOf({ base: `${server.url}/lending`, fetch, form: fixture.form })
  return { ...fixture, ...noted, api, client, server }
}

/** Every status equals the one that the caller has, so a long poll waits. */
const anyStatus = { headers: { "if-none-match": "*" } }

describe("mountNodeApi", () => {
  it("serves the API below the path of the issuer", async () => {
    const { api, client, server } = await served()
    await using _ = api
    await using __ = server
    const made = await client.post("/api/v1/partners", partner(1))
    assert.strictEqual((await client.send(made.headers.get("location") ?? "")).status, 200)
    const head = await client.get("/api/v1/groups", { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
    const outside = await client.send("/health/live")
    assert.deepStrictEqual([outside.status, await codeOf(outside)], [404, "NOT_FOUND"])
    assert.strictEqual((await client.send("/.well-known/oauth-authorization-server/lending")).status, 200)
  })

  it("also answers Fetch API requests", async () => {
    const { api, server } = await served()
    await using _ = api
    await using __ = server
    assert.strictEqual((await api.fetch(new Request("http://inside/lending/health/live"))).status, 200)
  })

  it("T36 limits by the socket address, whatever the client sends", async () => {
    const { api, server } = await served({ tokenLimit: { rate: 0.001, burst: 2 } })
    await using _ = api
    await using __ = server
    const ask = async (address: string) => {
      const reply = await fetch(`${server.url}/lending/api/v1/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "nonsense" }),
        headers: { "x-forwarded-for": address }
      })
      return reply.status
    }
    assert.deepStrictEqual([await ask("198.51.100.1"), await ask("198.51.100.2")], [400, 429])
  })

  it("T31 documents are rendered at the first request and complete from then on; a client that does not read one is disconnected", async () => {
    const ended: Array<boolean> = []
    const { api, server } = await served({
      anonymousLimit: { rate: 1_000, burst: 1_000 },
      documentTimeout: "200 millis"
    })
    await using _ = api
    await using __ = server
    const observing = createServer((request, response) => {
      api.handle(request, response)
      ended.push(response.writableEnded)
    })
    await using other = await listen(observing)
    const head = async () => (await fetch(`${other.url}/lending/docs`, { method: "HEAD" })).status
    assert.deepStrictEqual([await head(), await head(), ended], [200, 200, [false, true]])
    const sockets = await Promise.all([1, 2].map(async () => {
      const socket = connect(other.port, "127.0.0.1").on("error", () => {})
      await once(socket, "connect")
      socket.pause().write("GET /lending/docs/viewer.js HTTP/1.1\r\nHost: x\r\n\r\n".repeat(16))
      return socket
    }))
    // A client that reads nothing notices the end of its connection only when it writes.
    const closed = async (socket: Socket): Promise<void> => {
      if (socket.closed) return
      socket.write("GET ")
      await setTimeout(20)
      await closed(socket)
    }
    await Promise.all(sockets.map(closed))
    assert.strictEqual(await head(), 200)
  })

  it("passes only requests outside the prefix to next", async () => {
    const { api, server } = await served()
    await using _ = api
    await using __ = server
    const wrapping = createServer((request, response) => {
      api.handle(request, response, () => response.writeHead(202).end("the next"))
    })
    await using other = await listen(wrapping)
    const ask = async (path: string) => (await fetch(`${other.url}${path}`)).status
    assert.deepStrictEqual([await ask("/"), await ask("/lendingx"), await ask("/health/live")], [202, 202, 202])
    assert.deepStrictEqual([await ask("/lending"), await ask("/lending/nothing")], [404, 404])
    assert.strictEqual(await ask("/lending/health/live"), 200)
  })

  it("T30 refuses a body too large to drain while it is sent", async () => {
    const { api, client, server } = await served()
    await using _ = api
    await using __ = server
    const reply = await Effect.runPromise(sendRaw(server.port, {
      method: "POST",
      path: "/lending/api/v1/partners",
      headers: {
        "content-type": "application/json",
        "content-length": "100000000",
        authorization: client.authorization
      },
      body: "a".repeat(8_000_000)
    }))
    assert.deepStrictEqual([reply.status, JSON.parse(reply.text).error.code], [413, "PAYLOAD_TOO_LARGE"])
  })

  it("a client disconnect interrupts the handler", async () => {
    const { api, begun, client, ended, notes, server } = await served()
    await using _ = api
    await using __ = server
    const opened = await client.post("/api/v1/fgts/applications", application)
    const abort = new AbortController()
    const waited = client.send(`${opened.headers.get("location")}/status?wait=30`, {
      ...anyStatus,
      signal: abort.signal
    })
    await begun
    abort.abort()
    assert.strictEqual(await waited.then(() => undefined, ({ name }: Error) => name), "AbortError")
    await ended
    await api.close()
    assert.deepStrictEqual(notes, ["the wait is interrupted", "the layer is closed"])
  })

  it("close waits at most for its timeout: complete requests get 503, incomplete ones are disconnected", async () => {
    const fixture = await openFixture()
    const { begun, layer } = blockClientLookup()
    const api = await mountNodeApi(Layer.provideMerge(layer, fixture.layer), { issuer, closeTimeout: "20 millis" })
    const node = createServer(api.handle)
    await using server = await listen(node)
    const url = `${server.url}/lending/api/v1/oauth/token`
    const whole = fetch(url, { method: "POST", body: new URLSearchParams(fixture.form) })
    await begun
    const arrived = once(node, "request")
    const part = request(url, { method: "POST", headers: { "content-length": "100" } })
    const cut = once(part, "response").then(() => "answered", ({ code }: NodeJS.ErrnoException) => code)
    part.write("grant_type=")
    await arrived
    await api.close()
    assert.strictEqual((await whole).status, 503)
    assert.strictEqual(await cut, "ECONNRESET")
  })

  it("close answers long polls at once, refuses new requests, and then closes the layer", async () => {
    const { api, begun, client, notes, server } = await served()
    await using _ = server
    const opened = await client.post("/api/v1/fgts/applications", application)
    const waited = client.send(`${opened.headers.get("location")}/status?wait=30`, anyStatus)
    await begun
    await api.close()
    assert.strictEqual((await waited).status, 304)
    assert.deepStrictEqual(notes, ["the wait is RELEASED", "the layer is closed"])
    const refused = await client.get("/health/live")
    assert.deepStrictEqual([refused.status, await codeOf(refused)], [503, "SERVICE_UNAVAILABLE"])
  })
})
