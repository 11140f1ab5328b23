import { assert, describe, it } from "@effect/vitest"
import { mountApi, type MountOptions, OptionRefused, Readiness } from "@lastro/adapters-http"
import { makeConsole } from "@lastro/adapters-http/console"
import { NodeCondition } from "@lastro/domain/adapters"
import { AuditLog } from "@lastro/domain/audit"
import { PrincipalRepository } from "@lastro/domain/identity"
import { PortReplacedAboveJobs } from "@lastro/domain/jobs"
import { IdGenerator } from "@lastro/domain/ports"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, Layer, Result } from "effect"
import { decodeJwt } from "jose"
import { blockClientLookup } from "./blockClientLookup.ts"
import { application, clientOf, codeOf, issuer, openFixture, partner } from "./fixture.ts"
import { recordStatusWatch } from "./recordStatusWatch.ts"

/** Mounts the API over in-memory ports, with a client for a base URL. */
const mounted = async (base = "http://inside/lending", options: Partial<MountOptions> = {}) => {
  const fixture = await openFixture()
  const api = await mountApi(fixture.layer, { issuer, ...options })
  return { ...fixture, api, client: await clientOf({ base, fetch: api.fetch, form: fixture.form }) }
}

const jsonOf = async (response: Response) => await response.json() as Record<string, unknown>

/** Every status equals the one that the caller has, so a long poll waits. */
const anyStatus = { headers: { "if-none-match": "*" } }

describe("mountApi", () => {
  it("AUDIT-04 keeps the id of a request and of a call of the facade in the same form", async () => {
    const { api, client, lastro, layer } = await mounted()
    await using _ = api
    const request_id = "Joao.Silva.1990-05-17"
    const made = await client.post("/api/v1/partners", partner(1), { "x-request-id": request_id })
    assert.deepStrictEqual([made.status, made.headers.get("x-request-id")], [201, request_id])
    Result.getOrThrow(await lastro.createRootPartner(partner(2), { request_id }))
    const { audit } = await Effect.runPromise(
      Effect.provide(Effect.flatMap(MemoryDatabase, ({ state }) => state), layer)
    )
    const kept = audit.filter(({ action }) => action === "partner.create").slice(-2).map(({ request_id }) => request_id)
    assert.match(String(kept[0]), /^hash-.{22}$/)
    assert.strictEqual(kept[1], kept[0])
  })

  it("every link starts with the path of the issuer and resolves", async () => {
    const { api, client } = await mounted()
    await using _ = api
    const made = await client.post("/api/v1/partners", partner(1))
    assert.strictEqual(made.status, 201)
    const location = made.headers.get("location") ?? ""
    assert.match(location, /^\/lending\/api\/v1\/partners\/[0-9a-f-]{36}$/)
    assert.deepStrictEqual(await jsonOf(await client.send(location)), await jsonOf(made))
    const opened = await client.post("/api/v1/fgts/applications", application)
    assert.match(opened.headers.get("location") ?? "", /^\/lending\/api\/v1\/fgts\/applications\//)

    const { paths, servers } = await jsonOf(await client.get("/openapi.json"))
    assert.deepStrictEqual(servers, [{ url: "/lending", description: "This server" }])
    assert.property(paths, "/api/v1/partners")
    assert.include(await (await client.get("/docs")).text(), "spec-url=\"openapi.json?lang=en\"")
    assert.include(await (await client.get("/llms.txt")).text(), "(/lending/openapi.json)")

    const metadata = await jsonOf(await client.get("/.well-known/oauth-authorization-server"))
    assert.strictEqual(metadata["issuer"], issuer)
    await Promise.all(["token_endpoint", "revocation_endpoint", "jwks_uri"].map(async (name) => {
      const { origin, pathname } = new URL(String(metadata[name]))
      assert.strictEqual(origin, "https://lastro.test")
      assert.strictEqual((await client.send(pathname, { method: "OPTIONS" })).status, 405, `${pathname} is there`)
    }))
    const discovered = await client.send("/.well-known/oauth-authorization-server/lending")
    assert.deepStrictEqual(await jsonOf(discovered), metadata, "where RFC 8414 looks for it")
  })

  it("serves the API at the root for an issuer without a path", async () => {
    const issuer = "https://lastro.test"
    const fixture = await openFixture(issuer)
    await using api = await mountApi(fixture.layer, { issuer })
    const client = await clientOf({ base: "http://inside", fetch: api.fetch, form: fixture.form })
    const made = await client.post("/api/v1/partners", partner(1))
    assert.match(made.headers.get("location") ?? "", /^\/api\/v1\/partners\//)
    assert.deepStrictEqual((await jsonOf(await client.get("/openapi.json")))["servers"], [
      { url: "/", description: "This server" }
    ])
  })

  it("strips a separate prefix, links with the issuer's path, and replays retries under any prefix", async () => {
    const { api: first, client, form, layer } = await mounted("http://inside/v2/loans", { prefix: "/v2/loans" })
    await using _ = first
    await using second = await mountApi(layer, { issuer, prefix: "" })
    const other = await clientOf({ base: "http://inside", fetch: second.fetch, form })
    const key = { "idempotency-key": "one" }
    const made = await client.post("/api/v1/partners", partner(1), key)
    assert.match(made.headers.get("location") ?? "", /^\/lending\/api\/v1\/partners\//)
    const again = await other.post("/api/v1/partners", partner(1), key)
    assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
    assert.strictEqual(again.headers.get("location"), made.headers.get("location"))
    assert.strictEqual(await again.text(), await made.text())
  })

  it("answers 404 in the error envelope outside the prefix", async () => {
    const { api, client } = await mounted()
    await using _ = api
    const outside = ["/", "/lendingx/health/live", "/health/live", "/LENDING/health/live", "/lending", "/lending/"]
    await Promise.all(outside.map(async (path) => {
      const reply = await client.send(path)
      assert.deepStrictEqual([reply.status, await codeOf(reply)], [404, "NOT_FOUND"], path)
      assert.isString(reply.headers.get("x-request-id"))
    }))
    assert.strictEqual((await client.get("/health/live?x=1")).status, 200)
  })

  it("T36 limits by the address that the host server passes", async () => {
    const fixture = await openFixture()
    await using api = await mountApi(fixture.layer, { issuer, tokenLimit: { rate: 0.001, burst: 1 } })
    const ask = (remote_address?: string) =>
      api.fetch(
        new Request("http://inside/lending/api/v1/oauth/token", {
          method: "POST",
          body: new URLSearchParams({ grant_type: "nonsense" }),
          headers: { "x-forwarded-for": "198.51.100.7" }
        }),
        { remote_address }
      ).then(({ status }) => status)
    assert.deepStrictEqual([await ask("192.0.2.1"), await ask("192.0.2.2")], [400, 400])
    assert.deepStrictEqual([await ask("192.0.2.1"), await ask("192.0.2.2")], [429, 429])
    assert.deepStrictEqual([await ask(), await ask()], [400, 429], "who is not known shares one")
  })

  it("answers HEAD like GET, without the body", async () => {
    const { api, client } = await mounted()
    await using _ = api
    const reply = await client.get("/api/v1/groups", { method: "HEAD" })
    assert.deepStrictEqual([reply.status, await reply.text()], [200, ""])
    assert.isString(reply.headers.get("x-request-id"))
  })

  it("sends a list as CSV, and ends the export if the client cancels it or the API closes", async () => {
    const { api, client, logs } = await mounted(undefined, { closeTimeout: 1 })
    await using _ = api
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.post("/api/v1/partners", partner(index + 1)))
    )
    assert.deepStrictEqual(new Set(made.map(({ status }) => status)), new Set([201]))
    const open = () => client.get("/api/v1/partners?format=csv")
    const whole = await open()
    assert.strictEqual(whole.headers.get("content-type"), "text/csv; charset=utf-8; header=present")
    const lines = (await whole.text()).split("\r\n")
    assert.match(lines[0] ?? "", /^partner_id,name,/)
    assert.lengthOf(lines, 23)
    const head = await client.get("/api/v1/partners?format=csv", { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
    // A tree can have few exports at the same time, so one that is cancelled must end.
    const cancelNext = async (times: number): Promise<void> => {
      const cancelled = await open()
      assert.strictEqual(cancelled.status, 200)
      const reader = cancelled.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      return times > 1 ? cancelNext(times - 1) : undefined
    }
    await cancelNext(5)
    const unread = await open()
    assert.strictEqual(unread.status, 200)
    await api.close()
    const failed = await unread.text().then(() => undefined, (error: unknown) => error)
    assert.instanceOf(failed, Error)
    assert.deepStrictEqual(logs.filter((line) => line.includes("export failed")), [])
  })

  it("answers every concurrent request", async () => {
    const { api, client } = await mounted("http://inside/lending", { callerLimit: "off" })
    await using _ = api
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, one) => client.post("/api/v1/partners", partner(one + 1)))
    )
    assert.deepStrictEqual([...new Set(made.map(({ status }) => status))], [201])
    assert.strictEqual(new Set(made.map(({ headers }) => headers.get("location"))).size, 50)
  })

  it("an abort interrupts the handler", async () => {
    const fixture = await openFixture()
    const { begun, layer, notes } = recordStatusWatch()
    await using api = await mountApi(Layer.provideMerge(layer, fixture.layer), { issuer })
    const client = await clientOf({ base: "http://inside/lending", fetch: api.fetch, form: fixture.form })
    const opened = await client.post("/api/v1/fgts/applications", application)
    const abort = new AbortController()
    const waited = client.send(`${opened.headers.get("location")}/status?wait=30`, {
      ...anyStatus,
      signal: abort.signal
    })
    await begun
    abort.abort()
    assert.strictEqual((await waited).status, 499)
    assert.deepStrictEqual(notes, ["the wait is interrupted"])
    assert.strictEqual((await client.send("/lending/health/live")).status, 200)
  })

  it("close answers long polls at once, refuses new requests, and then closes the layer", async () => {
    const fixture = await openFixture()
    const { begun, layer, notes } = recordStatusWatch()
    const api = await mountApi(Layer.provideMerge(layer, fixture.layer), { issuer })
    const client = await clientOf({ base: "http://inside/lending", fetch: api.fetch, form: fixture.form })
    const opened = await client.post("/api/v1/fgts/applications", application)
    const waited = client.send(`${opened.headers.get("location")}/status?wait=30`, anyStatus)
    await begun
    const closed = api.close()
    const refused = await client.get("/health/live")
    assert.deepStrictEqual([refused.status, await codeOf(refused)], [503, "SERVICE_UNAVAILABLE"])
    await Promise.all([closed, api.close()])
    assert.strictEqual((await waited).status, 304)
    assert.deepStrictEqual(notes, ["the wait is RELEASED", "the layer is closed"])
    assert.strictEqual((await client.get("/health/live")).status, 503)
  })

  it("answers a request even if the id generator fails", async () => {
    const fixture = await openFixture()
    const broken = Layer.succeed(IdGenerator, IdGenerator.of({ next: Effect.die(new Error("no randomness")) }))
    await using api = await mountApi(Layer.provideMerge(broken, fixture.layer), { issuer })
    const reply = await api.fetch(new Request("http://inside/lending/health/live"))
    assert.deepStrictEqual([reply.status, reply.headers.get("x-request-id")], [200, "unknown"])
  })

  it("close waits at most for its timeout", async () => {
    const fixture = await openFixture()
    const { begun, layer } = blockClientLookup()
    const api = await mountApi(Layer.provideMerge(layer, fixture.layer), { issuer, closeTimeout: "20 millis" })
    const reply = api.fetch(
      new Request("http://inside/lending/api/v1/oauth/token", {
        method: "POST",
        body: new URLSearchParams(fixture.form)
      })
    )
    await begun
    await api.close()
    assert.strictEqual((await reply).status, 503)
  })

  it("rejects with the error of a layer that cannot be built, and leaves nothing open", async () => {
    const fixture = await openFixture()
    const order: Array<string> = []
    const before = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => order.push("closed"))))
    const failing = Layer.effectDiscard(Effect.fail("the database is away"))
    const built = mountApi(Layer.merge(fixture.layer, Layer.provideMerge(failing, before)), { issuer })
    assert.strictEqual(await built.then(() => undefined, (error: unknown) => error), "the database is away")
    assert.deepStrictEqual(order, ["closed"])
    const other = mountApi(Layer.merge(fixture.layer, before), { issuer: "https://lastro.test/loans" })
    assert.strictEqual(
      await other.then(() => undefined, ({ message }: OptionRefused) => message),
      "issuer must equal the issuer of the access tokens: the tokens name https://lastro.test/lending, "
        + "the API is served as https://lastro.test/loans"
    )
    assert.deepStrictEqual(order, ["closed", "closed"])
  })

  it("rejects a layer whose durable jobs do not use a replaced port", async () => {
    const { lastro } = await openFixture()
    const mine = Layer.effect(AuditLog, Effect.map(AuditLog, (original) => AuditLog.of({ ...original })))
    const rejected: unknown = await mountApi(Layer.provideMerge(mine, lastro.layer), { issuer }).catch((error) => error)
    assert.instanceOf(rejected, PortReplacedAboveJobs)
    assert.deepStrictEqual(rejected.ports, ["AuditLog"])
    await lastro.close()
  })

  it("ignores trailing slashes of issuer and prefix", async () => {
    const { form, layer } = await openFixture(`${issuer}/`)
    await using api = await mountApi(layer, { issuer: `${issuer}/`, prefix: "/lending/" })
    const client = await clientOf({ base: "http://inside/lending", fetch: api.fetch, form })
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    const metadata = await jsonOf(await client.get("/.well-known/oauth-authorization-server"))
    assert.deepInclude(metadata, { issuer, token_endpoint: `${issuer}/api/v1/oauth/token` })
    assert.deepNestedInclude(decodeJwt(client.authorization.slice("Bearer ".length)), { iss: issuer, aud: issuer })
  })

  it("refuses an invalid issuer or prefix by name, before it builds anything", async () => {
    const built: Array<string> = []
    const noted = Layer.effectDiscard(Effect.sync(() => built.push("built")))
    const fixture = await openFixture()
    const refusalOf = (options: Partial<MountOptions>) =>
      mountApi(Layer.merge(fixture.layer, noted), { issuer, ...options }).then(
        () => undefined,
        (error: unknown) => error
      )
    const tokens = openFixture("not a url").then(() => undefined, (error: unknown) => error)
    const refusals = await Promise.all([refusalOf({ issuer: "not a url" }), refusalOf({ prefix: "lending" }), tokens])
    const named = refusals.map((refusal) => refusal instanceof OptionRefused && refusal.option)
    assert.deepStrictEqual(named, ["issuer", "prefix", "issuer"])
    assert.deepStrictEqual(built, [])
  })

  it("rejects an argument that is not a Request", async () => {
    const { api } = await mounted()
    await using _ = api
    const url = "http://inside/lending/health/live"
    const untyped = api.fetch as (input: unknown) => Promise<Response>
    const errors = await Promise.all(
      [url, new URL(url), {}].map((wrong) => untyped(wrong).then(() => undefined, (error: unknown) => error))
    )
    for (const error of errors) {
      assert.instanceOf(error, TypeError)
      assert.match(error.message, /^fetch requires a Request/)
    }
  })

  it("uses the given Readiness, or else the condition of the node, or else the principal repository", async () => {
    const fixture = await openFixture()
    const readyOver = async (layer: typeof fixture.layer) => {
      await using api = await mountApi(layer, { issuer })
      return (await api.fetch(new Request("http://inside/lending/health/ready"))).status
    }
    assert.strictEqual(await readyOver(fixture.layer), 200)
    const away = Layer.effect(
      PrincipalRepository,
      Effect.map(
        PrincipalRepository,
        (principals) => PrincipalRepository.of({ ...principals, find: () => Effect.die("the database is away") })
      )
    )
    assert.strictEqual(await readyOver(Layer.provideMerge(away, fixture.layer)), 503)
    const refusing = Layer.succeed(NodeCondition, { isReady: Effect.succeed(false), mayServe: () => false })
    const ofNode = Layer.merge(fixture.layer, refusing)
    assert.strictEqual(await readyOver(ofNode), 503)
    // The option `isClosed` adds a reason, and removes none.
    await using closed = await mountApi(ofNode, { issuer, isClosed: () => false })
    const refused = await closed.fetch(new Request("http://inside/lending/api/v1/partners"))
    assert.strictEqual(refused.status, 503)
    assert.strictEqual((await closed.fetch(new Request("http://inside/lending/health/live"))).status, 200)
    const never = Layer.succeed(Readiness, Readiness.of({ isReady: Effect.succeed(false) }))
    assert.strictEqual(await readyOver(Layer.merge(fixture.layer, never)), 503)
  })

  it("T77 two consoles on one origin do not replace each other's sessions", async () => {
    const cookies = new Map<string, string>()
    const issuers = ["https://lastro.test/north", "https://lastro.test/south"]
    const open = async (issuer: string) => {
      const fixture = await openFixture(issuer)
      return { issuer, ...await mountApi(fixture.layer, { issuer, console: makeConsole() }) }
    }
    const apis = await Promise.all(issuers.map(open))
    /** Opens the sign-in like a browser. Returns whether the response sets a cookie. */
    const signIn = async ({ fetch, issuer }: (typeof apis)[number]) => {
      const cookie = Array.from(cookies, (pair) => pair.join("=")).join("; ")
      const { headers } = await fetch(new Request(`${issuer}/console/sign-in`, { headers: { cookie } }))
      const [set] = headers.getSetCookie()
      const [name = "", value = ""] = set?.split(";")[0]?.split("=") ?? []
      if (set !== undefined) cookies.set(name, value)
      return set !== undefined
    }
    const sets: Array<boolean> = []
    // oxlint-disable-next-line eslint/no-await-in-loop -- one browser opens one page after the other
    for (const api of [...apis, ...apis]) sets.push(await signIn(api))
    assert.deepStrictEqual(sets, [true, true, false, false])
    assert.deepStrictEqual([...cookies.keys()], ["__Host-lastro|north", "__Host-lastro|south"])
    await Promise.all(apis.map(({ close }) => close()))
  })
})
