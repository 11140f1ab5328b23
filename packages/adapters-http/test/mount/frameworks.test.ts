import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import middie from "@fastify/middie"
import { createAdaptorServer } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { type MountedNodeApi, mountNodeApi } from "@lastro/adapters-http/node"
import connect from "connect"
import { Layer } from "effect"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import { createServer, Server } from "node:http"
import { application, clientOf, codeOf, issuer, openFixture, partner } from "./fixture.ts"
import { listen } from "./listen.ts"
import { recordStatusWatch } from "./recordStatusWatch.ts"

declare module "fastify" {
  interface FastifyInstance {
    // middie says so too, to whoever installs packages flat.
    use(path: string, handle: MountedNodeApi["handle"]): this
  }
}

/** A server of a framework with the API mounted below `/lending`. */
type Framework = (api: MountedNodeApi) => Promise<Server>

const expressAt: Framework = async (api) => {
  const app = express()
  app.use("/lending", api.handle)
  app.use(express.json())
  app.get("/other", (_, response) => void response.json({ other: true }))
  return createServer(app)
}

const expressBefore: Framework = async (api) => {
  const app = express()
  app.use(api.handle)
  app.get("/other", (_, response) => void response.json({ other: true }))
  return createServer(app)
}

const expressNested: Framework = async (api) => {
  const [inner, outer, app] = [express.Router(), express.Router(), express()]
  inner.use("/loans", api.handle)
  outer.use("/v2", inner)
  app.use("/lending", outer)
  app.get("/other", (_, response) => void response.json({ other: true }))
  return createServer(app)
}

const connectAt: Framework = async (api) => {
  const app = connect()
  app.use("/lending", api.handle)
  app.use("/other", (_, response) => void response.end(JSON.stringify({ other: true })))
  return createServer(app)
}

const connectNested: Framework = async (api) => {
  const [inner, app] = [connect(), connect()]
  inner.use("/v2", api.handle)
  app.use("/lending", inner)
  app.use("/other", (_, response) => void response.end(JSON.stringify({ other: true })))
  return createServer(app)
}

const fastifyMiddie: Framework = async (api) => {
  const app = Fastify()
  await app.register(middie)
  app.use("/lending", api.handle)
  app.get("/other", () => ({ other: true }))
  await app.ready()
  return app.server
}

const hono: Framework = async (api) => {
  const app = new Hono()
  app.all(
    "/lending/*",
    (context) => api.fetch(context.req.raw, { remote_address: getConnInfo(context).remote.address })
  )
  app.get("/other", (context) => context.json({ other: true }))
  const server = createAdaptorServer({ fetch: app.fetch })
  assert.instanceOf(server, Server)
  return server
}

const fastify: Framework = async (api) => {
  const app = Fastify()
  await app.register(async (lending) => {
    lending.removeAllContentTypeParsers()
    lending.addContentTypeParser("*", (_request, _body, done) => done(null))
    lending.all("/*", (request, reply) => {
      reply.hijack()
      api.handle(request.raw, reply.raw)
    })
  }, { prefix: "/lending" })
  app.get("/other", () => ({ other: true }))
  await app.ready()
  return app.server
}

const frameworks: Readonly<Record<string, readonly [framework: Framework, path?: string]>> = {
  "Express, at a path": [expressAt],
  "Express, before everything": [expressBefore],
  "Express, in routers of routers": [expressNested, "/lending/v2/loans"],
  "Connect": [connectAt],
  "Connect, in an application of an application": [connectNested, "/lending/v2"],
  "Hono": [hono],
  "Fastify": [fastify],
  "Fastify, with middie": [fastifyMiddie]
}

const served = async (framework: Framework, path = "/lending") => {
  const issuer = `https://lastro.test${path}`
  const fixture = await openFixture(issuer)
  const { layer, ...noted } = recordStatusWatch()
  const api = await mountNodeApi(Layer.provideMerge(layer, fixture.layer), { issuer, callerLimit: "off" })
  const server = await listen(await framework(api))
  const base = `${server.url}${path}`
  const client = await clientOf({ base, fetch, form: fixture.form })
  return { ...fixture, ...noted, api, base, client, issuer, server }
}

for (const [name, at] of Object.entries(frameworks)) {
  describe(`mounted in ${name}`, () => {
    let shared: Awaited<ReturnType<typeof served>>
    beforeAll(async () => {
      shared = await served(...at)
    })
    afterAll(async () => {
      await shared.server[Symbol.asyncDispose]()
      await shared.api.close()
    })

    it("serves the API below its prefix, and the framework elsewhere", async () => {
      const { client } = shared
      const made = await client.post("/api/v1/partners", partner(1))
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(await (await client.send(made.headers.get("location") ?? "")).json(), await made.json())
      const head = await client.get("/api/v1/groups", { method: "HEAD" })
      assert.deepStrictEqual([head.status, await head.text()], [200, ""])
      const missing = await client.get("/api/v1/nothing?x=1")
      assert.deepStrictEqual([missing.status, await codeOf(missing)], [404, "NOT_FOUND"])
      assert.deepStrictEqual(await (await client.send("/other")).json(), { other: true })
    })

    it("answers every concurrent request", async () => {
      const { client } = shared
      const made = await Promise.all(
        Array.from({ length: 30 }, (_, one) => client.post("/api/v1/partners", partner(one + 2)))
      )
      assert.deepStrictEqual([...new Set(made.map(({ status }) => status))], [201])
    })

    it("T30 answers a body of 10 MB with a readable 413", async () => {
      const { client } = shared
      const reply = await client.get("/api/v1/partners", { method: "POST", body: "a".repeat(10_000_000) })
      assert.deepStrictEqual([reply.status, await codeOf(reply)], [413, "PAYLOAD_TOO_LARGE"])
    })

    it("T36 limits by the client address", async () => {
      const { api, base, client, form, issuer } = shared
      const failed = await Promise.all(
        Array.from({ length: 5 }, () =>
          fetch(`${base}/api/v1/oauth/token`, {
            method: "POST",
            body: new URLSearchParams({ grant_type: "password", username: "ana@example.com", password: "wrong" })
          }))
      )
      assert.deepStrictEqual(failed.map(({ status }) => status), [400, 400, 400, 400, 400])
      const elsewhere = await api.fetch(
        new Request(`${issuer}/api/v1/oauth/token`, {
          method: "POST",
          body: new URLSearchParams({ grant_type: "password", username: "ana@example.com", password: "wrong" })
        }),
        { remote_address: "127.0.0.1" }
      )
      assert.strictEqual(elsewhere.status, 429, "five failures of this pair of a name and an address")
      assert.strictEqual((await client.post("/api/v1/partners", partner(32))).status, 201, form.client_id)
    })

    it("a client disconnect interrupts the handler", async () => {
      const { api, begun, client, ended, notes, server } = await served(...at)
      await using __ = server
      const opened = await client.post("/api/v1/fgts/applications", application)
      const abort = new AbortController()
      const waited = client.send(`${opened.headers.get("location")}/status?wait=30`, {
        ...anyStatus,
        signal: abort.signal
      })
      await begun
      abort.abort()
      await waited.catch(() => undefined)
      await ended
      await api.close()
      assert.deepStrictEqual(notes, ["the wait is interrupted", "the layer is closed"])
    })

    it("close answers long polls at once", async () => {
      const { api, begun, client, server } = await served(...at)
      await using _ = server
      const opened = await client.post("/api/v1/fgts/applications", application)
      const waited = client.send(`${opened.headers.get("location")}/status?wait=30`, anyStatus)
      await begun
      await api.close()
      assert.strictEqual((await waited).status, 304)
    })
  })
}

/** Every status equals the one that the caller has, so a long poll waits. */
const anyStatus = { headers: { "if-none-match": "*" } }

describe("mounted at a path", () => {
  it("serves the mount path itself", async () => {
    await Promise.all([expressAt, connectAt, fastifyMiddie].map(async (framework) => {
      const { api, base, client, server } = await served(framework)
      await using _ = api
      await using __ = server
      const bare = await Promise.all([base, `${base}/`, `${base}?x=1`].map((url) => client.send(url)))
      assert.deepStrictEqual(await Promise.all(bare.map(codeOf)), ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
    }))
  })

  it("uses a URL that middleware has rewritten", async () => {
    const { api, client, server } = await served(async (mounted) => {
      const app = express()
      app.use((request, _, next) => {
        request.url = request.url.replace(/^\/lending\/old\//, "/lending/").replace(/^\/before\//, "/lending/")
        next()
      })
      app.use("/lending", mounted.handle)
      return createServer(app)
    })
    await using _ = api
    await using __ = server
    const ask = async (path: string) => (await client.send(path)).status
    assert.deepStrictEqual([await ask("/before/health/live"), await ask("/lending/old/health/live")], [200, 200])
    assert.strictEqual(await ask("/lending/lending/health/live"), 404)
  })
})

describe("mounted incorrectly", () => {
  it("answers 500 behind a body parser, and the log names the cause", async () => {
    const { api, client, logs, server } = await served(async (mounted) => {
      const app = express()
      app.use(express.json())
      app.use("/lending", mounted.handle)
      return createServer(app)
    })
    await using _ = api
    await using __ = server
    const reply = await client.post("/api/v1/partners", partner(1))
    assert.deepStrictEqual([reply.status, await codeOf(reply)], [500, "INTERNAL_ERROR"])
    assert.include(logs.join("\n"), "mount the API before express.json()")
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
  })

  it("needs an empty prefix below a path that the framework strips", async () => {
    const fixture = await openFixture()
    await using api = await mountNodeApi(fixture.layer, { issuer, prefix: "" })
    const app = new Hono().mount("/lending", api.fetch)
    const client = await clientOf({
      base: "http://inside/lending",
      fetch: async (request) => app.request(request),
      form: fixture.form
    })
    const made = await client.post("/api/v1/partners", partner(1))
    assert.strictEqual((await client.send(made.headers.get("location") ?? "")).status, 200)
    const outer = express()
    outer.use("/lending", api.handle)
    await using server = await listen(createServer(outer))
    assert.strictEqual((await fetch(`${server.url}/lending/health/live`)).status, 200)
  })
})
