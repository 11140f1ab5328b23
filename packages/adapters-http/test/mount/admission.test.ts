import { assert, describe, it } from "@effect/vitest"
import { mountApi, type MountOptions } from "@lastro/adapters-http"
import { makeConsole } from "@lastro/adapters-http/console"
import { mountNodeApi } from "@lastro/adapters-http/node"
import { PrincipalRepository } from "@lastro/domain/identity"
import { PartnerRepository } from "@lastro/domain/partner"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, Layer, Metric, Result } from "effect"
import { createServer } from "node:http"
import { application, clientOf, codeOf, type Fetch, issuer, openFixture, partner } from "./fixture.ts"
import { listen } from "./listen.ts"
import { recordStatusWatch } from "./recordStatusWatch.ts"

/** Makes reads of partners wait until `open` is called. */
const held = (method: "find" | "list") => {
  const waiting: Array<() => void> = []
  let isOpen = false
  const wait = Effect.promise(() => new Promise<void>((resolve) => isOpen ? resolve() : waiting.push(resolve)))
  const layer = Layer.effect(
    PartnerRepository,
    Effect.map(PartnerRepository, (partners) =>
      PartnerRepository.of({
        ...partners,
        ...(method === "find"
          ? { find: (...asked) => Effect.andThen(wait, partners.find(...asked)) }
          : { list: (...asked) => Effect.andThen(wait, partners.list(...asked)) })
      }))
  )
  const open = () => {
    isOpen = true
    waiting.forEach((resume) => resume())
  }
  return { layer, open, begun: () => waiting.length }
}

const heldLists = () => held("list")

const heldReads = () => held("find")

/** Makes every list of partners costly: it runs only in its turn, and then waits until `open` is called. */
const costlyLists = () => {
  const lists = heldLists()
  const layer = Layer.effect(
    PartnerRepository,
    Effect.map(PartnerRepository, (partners) =>
      PartnerRepository.of({
        ...partners,
        list: (scope, query, budget) =>
          budget === Number.POSITIVE_INFINITY
            ? partners.list(scope, query, budget)
            : Effect.fail(new ReadBudgetExceeded())
      }))
  )
  return { ...lists, layer: Layer.provideMerge(layer, lists.layer) }
}

/** Counts the reads that run together with the read of their caller, which share its database session. */
const countReadsWithCaller = () => {
  let active = 0
  const layer = Layer.effect(
    PrincipalRepository,
    Effect.map(PrincipalRepository, (principals) =>
      PrincipalRepository.of({
        ...principals,
        findWhile: (kind, subject, meanwhile) =>
          Effect.suspend(() => {
            active += 1
            return Effect.ensuring(
              principals.findWhile(kind, subject, meanwhile),
              Effect.sync(() => {
                active -= 1
              })
            )
          })
      }))
  )
  return { layer, active: () => active }
}

const options: MountOptions = { issuer, callerLimit: "off", closeTimeout: "20 millis" }

type Fixture = Awaited<ReturnType<typeof openFixture>>

/** Mounts the API as a Fetch handler. */
const overFetch = async (layer: Fixture["layer"], given: Partial<MountOptions>) => {
  const api = await mountApi(layer, { ...options, ...given })
  const fetch: Fetch = (request) => api.fetch(request, { remote_address: "192.0.2.1" })
  return { fetch, base: "http://inside/lending", [Symbol.asyncDispose]: () => api.close() }
}

/** Mounts the API in a server of Node. */
const overNode = async (layer: Fixture["layer"], given: Partial<MountOptions>) => {
  const api = await mountNodeApi(layer, { ...options, ...given })
  const server = await listen(createServer(api.handle))
  const fetch: Fetch = (request) => globalThis.fetch(request)
  return {
    fetch,
    base: `${server.url}/lending`,
    [Symbol.asyncDispose]: async () => {
      await api.close()
      await server[Symbol.asyncDispose]()
    }
  }
}

const settled = (count: () => number, expected: number): Promise<void> =>
  Effect.runPromise(
    Effect.sleep("5 millis").pipe(
      Effect.repeat({ until: () => count() === expected }),
      Effect.timeout("20 seconds"),
      Effect.orDie
    )
  )

const metric = (name: string, label: string, labelled: string): number => {
  const found = Effect.runSync(Metric.snapshot).find(({ attributes, id }) =>
    id === name && attributes?.[label] === labelled
  )
  return found?.type === "Gauge" ? Number(found.state.value) : found?.type === "Counter" ? Number(found.state.count) : 0
}

const queuedReads = () => metric("http_server_queued_requests", "kind", "read")

const refusedByFullQueue = () => metric("http_server_refused_requests_total", "reason", "queue_full")

const times = <A>(count: number, make: () => A): ReadonlyArray<A> => Array.from({ length: count }, make)

describe.each([["fetch", overFetch], ["node", overNode]] as const)("admission of requests over %s", (_, mount) => {
  it("T62 a caller has at most half of the slots; the rest of its requests wait and then run", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const lists = times(10, () => client.get("/api/v1/partners?page=1"))
    await settled(begun, 2)
    const stranger = await clientOf({ ...api, form: fixture.form })
    const health = await stranger.get("/health/live")
    assert.strictEqual(health.status, 200)
    assert.strictEqual(begun(), 2)
    open()
    const statuses = (await Promise.all(lists)).map(({ status }) => status)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })

  it("T62 first pages of lists hold none of the slots of other requests", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const lists = times(10, () => client.get("/api/v1/partners"))
    await settled(begun, 8)
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    assert.strictEqual((await client.get("/api/v1/users/me")).status, 200)
    assert.strictEqual(begun(), 8)
    open()
    const statuses = (await Promise.all(lists)).map(({ status }) => status)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })

  it("T62 pages of the console and requests of the API share the slots of their caller", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldLists()
    const given = { concurrency: 4, console: makeConsole() }
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), given)
    const client = await clientOf({ ...api, form: fixture.form })
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    const cookie = `__Host-lastro|lending=${client.authorization.slice("Bearer ".length)}~none`
    const page = () => api.fetch(new Request(`${api.base}/console/partners`, { headers: { cookie } }))
    const pages = times(5, page)
    await settled(begun, 2)
    const lists = times(5, () => client.get("/api/v1/partners?page=1"))
    const stranger = await clientOf({ ...api, form: fixture.form })
    assert.strictEqual((await stranger.get("/health/live")).status, 200)
    assert.strictEqual(begun(), 2)
    open()
    const statuses = (await Promise.all([...pages, ...lists])).map(({ status }) => status)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })

  it("T62 PAGE-27 a costly list holds no slot while it waits for its turn", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = costlyLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const lists = times(10, () => client.get("/api/v1/partners?page=1"))
    await settled(begun, 1)
    // Without the return of slots, the lists would hold both slots of the caller, and these reads would wait.
    const reads = await Promise.all(times(5, () => client.get("/api/v1/groups")))
    assert.deepStrictEqual(new Set(reads.map(({ status }) => status)), new Set([200]))
    assert.strictEqual(begun(), 1)
    open()
    const statuses = (await Promise.all(lists)).map(({ status }) => status)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })

  it("T62 PAGE-27 a costly list does not share the session of its caller's read while it waits or runs", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = costlyLists()
    const principals = countReadsWithCaller()
    await using api = await mount(
      Layer.provideMerge(Layer.merge(layer, principals.layer), fixture.layer),
      { concurrency: 4 }
    )
    const client = await clientOf({ ...api, form: fixture.form })
    // From the second request of a token on, its caller is read together with the record.
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    const lists = times(3, () => client.get("/api/v1/partners?page=1"))
    await settled(begun, 1)
    await settled(principals.active, 0)
    open()
    const statuses = (await Promise.all(lists)).map(({ status }) => status)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })

  it("T62 PAGE-27 a costly list of a caller with 16 unfinished ones gets 503 with Retry-After", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = costlyLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), {})
    const client = await clientOf({ ...api, form: fixture.form })
    const lists = times(17, () => client.get("/api/v1/partners?page=1"))
    const refused = await Promise.race(lists)
    assert.strictEqual(refused.status, 503)
    assert.strictEqual(refused.headers.get("retry-after"), "2")
    assert.strictEqual(await codeOf(refused), "SERVICE_UNAVAILABLE")
    await settled(begun, 1)
    open()
    const statuses = (await Promise.all(lists)).map(({ status }) => status)
    assert.strictEqual(statuses.filter((status) => status === 200).length, 16)
  })

  it("T72 a closed node refuses every operation and every token with 503, and answers health checks", async () => {
    const fixture = await openFixture()
    let closed = false
    await using api = await mount(fixture.layer, { isClosed: () => closed })
    const client = await clientOf({ ...api, form: fixture.form })
    closed = true
    const refused = [await client.get("/api/v1/partners?page=1"), await client.post("/api/v1/partners", partner(1))]
    for (const reply of refused) {
      assert.strictEqual(reply.status, 503)
      assert.strictEqual(reply.headers.get("retry-after"), "1")
    }
    assert.strictEqual((await client.post("/api/v1/oauth/token", {})).status, 503)
    assert.strictEqual((await client.get("/health/live")).status, 200)
    closed = false
    assert.strictEqual((await client.get("/api/v1/partners?page=1")).status, 200)
  })

  it("documents and invalid tokens are limited by network; known callers and health checks are not", async () => {
    const fixture = await openFixture()
    await using api = await mount(fixture.layer, { anonymousLimit: { rate: 0.001, burst: 20 } })
    const client = await clientOf({ ...api, form: fixture.form })
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    const statusesOf = async (path: string, init: RequestInit): Promise<ReadonlyArray<number>> =>
      (await Promise.all(times(40, async () => {
        const response = await api.fetch(new Request(`${api.base}${path}`, init))
        await response.body?.cancel()
        return response.status
      }))).toSorted((one, another) => one - another)
    const before = metric("http_server_refused_requests_total", "reason", "network")
    const documents = ["/docs", "/nowhere", "/.well-known/jwks.json"].map((path) =>
      statusesOf(path, { method: "HEAD" })
    )
    for (const statuses of await Promise.all(documents)) assert.include(statuses, 429)
    const tokens = ["Bearer nobody", "Basic Og=="].map((authorization) =>
      statusesOf("/api/v1/groups", { headers: { authorization } })
    )
    const refusals = (await Promise.all(tokens)).flat()
    assert.isAtLeast(refusals.filter((status) => status === 429).length, 40)
    assert.deepStrictEqual(refusals.filter((status) => status !== 429 && status !== 401), [])
    assert.isAbove(metric("http_server_refused_requests_total", "reason", "network"), before)
    const [refused] = await Promise.all(times(1, () => api.fetch(new Request(`${api.base}/api/v1/groups`))))
    assert.strictEqual(refused?.headers.get("retry-after"), "1")
    assert.strictEqual(refused === undefined ? undefined : await codeOf(refused), "RATE_LIMITED")
    assert.deepStrictEqual(new Set(await statusesOf("/health/live", {})), new Set([200]))
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
  })

  it("a valid token is served whatever its network has sent; a token of a deactivated caller is not", async () => {
    const fixture = await openFixture()
    await using api = await mount(fixture.layer, { anonymousLimit: { rate: 0.001, burst: 20 } })
    const [fresh, blocked] = [
      await clientOf({ ...api, form: fixture.form }),
      await clientOf({ ...api, form: fixture.form })
    ]
    const statusOf = async (authorization: string): Promise<number> => {
      const response = await api.fetch(new Request(`${api.base}/api/v1/groups`, { headers: { authorization } }))
      await response.body?.cancel()
      return response.status
    }
    const [head = "", payload = "", signature = ""] = fresh.authorization.split(".")
    const forged = (index: number) => `${head}.${payload}.${signature.slice(0, -2)}${String(index).padStart(2, "A")}`
    const bad = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, (_, index) => statusOf(forged(10 + index))))).toSorted()
    assert.include(await bad(60), 429)
    const flood = bad(100)
    const valid = await Promise.all(times(5, () => statusOf(fresh.authorization)))
    assert.deepStrictEqual(valid, [200, 200, 200, 200, 200])
    assert.deepStrictEqual(new Set(await flood), new Set([429]))
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
      readonly partner_snapshot_uuid: string
    }
    Result.getOrThrow(await fixture.lastro.setPartnerStatus(claims.partner_snapshot_uuid, "inactive"))
    assert.strictEqual(await statusOf(blocked.authorization), 401, "nobody but its holder can send a signed token")
    assert.strictEqual(await statusOf(blocked.authorization), 429)
  })

  it("reads of one record by its id have slots of their own, twice as many for a caller as the node has for the rest", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldReads()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const made = await client.post("/api/v1/partners", partner(1))
    const path = `/api/v1/partners/${made.headers.get("location")?.split("/").at(-1)}`
    const reads = times(20, () => client.get(path))
    await settled(begun, 8)
    assert.strictEqual((await client.get("/api/v1/partners?page=1")).status, 200)
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    assert.strictEqual(begun(), 8)
    open()
    const statuses = (await Promise.all(reads)).map(({ status }) => status)
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
  })

  it("writes do not wait for reads of the same caller", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const lists = times(4, () => client.get("/api/v1/partners?page=1"))
    await settled(begun, 2)
    assert.strictEqual((await client.post("/api/v1/partners", partner(1))).status, 201)
    open()
    await Promise.all(lists)
  })

  it("refuses a request with 503 in the error envelope if the queue is full", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    const lists = times(2, () => client.get("/api/v1/partners?page=1"))
    await settled(begun, 2)
    const before = refusedByFullQueue()
    let answered = 0
    const more: Array<Promise<Response>> = []
    const headers = { "accept-language": "pt-BR", "x-request-id": "mine" }
    const list = () =>
      client.get("/api/v1/partners?page=1", { headers }).then((reply) => {
        answered += 1
        return reply
      })
    // On a slow machine, the first requests may have waited too long before the last one arrives. Then as many are sent again.
    const fillQueue = async (): Promise<void> => {
      more.push(...times(257, list))
      await settled(() => Number(refusedByFullQueue() > before || answered === more.length), 1)
      if (refusedByFullQueue() === before && more.length < 10 * 257) await fillQueue()
    }
    await fillQueue()
    open()
    const replies = await Promise.all([...lists, ...more])
    assert.isAtLeast(refusedByFullQueue() - before, 1)
    assert.isAtMost(refusedByFullQueue() - before, more.length - 256)
    const refused = replies.filter(({ status }) => status !== 200)
    assert.deepStrictEqual(new Set(refused.map(({ status }) => status)), new Set([503]))
    const [reply] = refused
    assert(reply !== undefined)
    assert.strictEqual(await codeOf(reply.clone()), "SERVICE_UNAVAILABLE")
    assert.include(await reply.text(), "temporariamente indisponível")
    for (
      const [name, value] of [["retry-after", "1"], ["x-request-id", "mine"], ["content-language", "pt-BR"]] as const
    ) {
      assert.strictEqual(reply.headers.get(name), value)
    }
  })

  it("a long poll holds no slot while it waits", async () => {
    const fixture = await openFixture()
    const { layer, notes } = recordStatusWatch()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const opened = await client.post("/api/v1/fgts/applications", application)
    const location = new URL(opened.headers.get("location") ?? "", api.base).pathname
    const polls = times(5, () => client.send(`${location}/status?wait=1`, { headers: { "if-none-match": "*" } }))
    const waiting = await Promise.all(times(5, () => client.get("/api/v1/groups")))
    assert.deepStrictEqual(new Set(waiting.map(({ status }) => status)), new Set([200]))
    const ended = await Promise.all(polls)
    assert.deepStrictEqual(new Set(ended.map(({ status }) => status)), new Set([304]))
    assert.isAtLeast(notes.length, 5)
  })

  it("a request holds no slot while its body arrives", async () => {
    const fixture = await openFixture()
    await using api = await mount(fixture.layer, { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    const feeds: Array<ReadableStreamDefaultController<Uint8Array>> = []
    const slow = times(5, () =>
      client.send(`${api.base}/api/v1/partners`, {
        method: "POST",
        body: new ReadableStream<Uint8Array>({
          start: (controller) => {
            feeds.push(controller)
            controller.enqueue(new TextEncoder().encode("{"))
          }
        })
      }))
    const quick = await Promise.all(times(5, () => client.post("/api/v1/partners", partner(1))))
    assert.sameMembers(quick.map(({ status }) => status), [201, 409, 409, 409, 409])
    feeds.forEach((feed) => feed.close())
    const ended = await Promise.all(slow)
    assert.deepStrictEqual(new Set(ended.map(({ status }) => status)), new Set([400]))
  })

  it("a client that gives up leaves the queue", async () => {
    const fixture = await openFixture()
    const { begun, layer, open } = heldLists()
    await using api = await mount(Layer.provideMerge(layer, fixture.layer), { concurrency: 4 })
    const client = await clientOf({ ...api, form: fixture.form })
    assert.strictEqual((await client.get("/api/v1/groups")).status, 200)
    const abort = new AbortController()
    const ends = (sent: Promise<Response>) => sent.then(({ status }) => status, () => 499)
    const lists = times(2, () => client.get("/api/v1/partners?page=1"))
    await settled(begun, 2)
    const gone = times(20, () => ends(client.get("/api/v1/partners?page=1", { signal: abort.signal })))
    await settled(queuedReads, 20)
    abort.abort()
    assert.deepStrictEqual(new Set(await Promise.all(gone)), new Set([499]))
    await settled(queuedReads, 0)
    const later = client.get("/api/v1/partners?page=1")
    open()
    assert.strictEqual((await later).status, 200)
    await Promise.all(lists)
  })
})
