import { Effect, Exit, Fiber } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { ask, at, patiently, signIn, tokenOf } from "../../apps/server/test/running/asking.ts"
import { startCrashableServer } from "../../apps/server/test/running/CrashableServer.ts"
import { freePort } from "../../apps/server/test/running/machine.ts"
import { onPostgres } from "../../apps/server/test/running/serving.ts"
import { readBody, startLocalServer } from "../../packages/testkit/src/lender/localServer.ts"
import { measureWriters } from "./eventWriters.ts"
import { benchmark, shown, table, whole } from "./harness/benchmark.ts"
import { connect, freshDatabase, server } from "./harness/database.ts"
import { meterCost, postmasterOf, residentMemory } from "./harness/processes.ts"
import { paced } from "./harness/rounds.ts"
import { median, percentilesOf } from "./harness/statistics.ts"

/** The faults of endpoints. Each is a function that answers a delivery, and receives its number. */
const faults: Readonly<Record<string, (response: ServerResponse, delivery: number) => void>> = {
  dead: (response) => response.destroy(),
  slow: (response) => setTimeout(() => response.destroy(), 30_000),
  "failing half the time": (response, delivery) => response.writeHead(delivery % 2 === 0 ? 500 : 204).end(),
  redirecting: (response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
  "closing mid-body": (response) => {
    response.writeHead(200, { "content-length": "1000" }).write("{")
    setTimeout(() => response.destroy(), 10)
  }
}

/** Starts an endpoint that has a fault until it is healed, and that counts its deliveries. */
const startEndpoint = Effect.fnUntraced(function*(fault: string) {
  /** The time from each event to its first successful delivery, in milliseconds. */
  const waits = new Map<string, number>()
  let deliveries = 0
  let repeated = 0
  let mistaken = 0
  let healed = !Object.hasOwn(faults, fault)
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    deliveries += 1
    if (!healed) faults[fault]?.(response, deliveries)
    else response.writeHead(204).end()
    if (response.statusCode !== 204) return
    const event = JSON.parse(body.toString()) as { readonly event_id: string; readonly occurred_at: string }
    if (event.event_id !== request.headers["webhook-id"]) mistaken += 1
    if (waits.has(event.event_id)) repeated += 1
    else waits.set(event.event_id, Date.now() - Date.parse(event.occurred_at))
  }
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => startLocalServer(handle)),
    ({ close }) => Effect.promise(close)
  )
  const counts = () => ({ deliveries, repeated, mistaken })
  return { fault, url, waits, counts, heal: () => void (healed = true) }
})

const flags = {
  events: whole("events", 10_000, "Number of events that are delivered without a kill"),
  perSecond: whole("per-second", 25, "Events per second"),
  healthy: whole("healthy", 15, "Number of healthy endpoints, beside five faulty ones"),
  kills: whole("kills", 10, "Number of kills of the server, during further events"),
  feed: whole("feed", 1_000_000, "Number of events of the feed that is read"),
  partners: whole("partners", 1_000, "Number of partners that are inserted in a round, with their events and without"),
  rounds: whole("rounds", 10, "Number of these rounds")
}

/**
 * Inserts partners with and without events. Then delivers events to healthy and faulty endpoints, kills the server
 * meanwhile, heals the faulty endpoints, and counts what each endpoint received. Then reads a long feed to its end.
 */
export const events = benchmark(
  "events",
  "Measures the cost of events for writers, their delivery beside faulty endpoints and kills, and a long feed",
  flags,
  Effect.fnUntraced(function*({ events, feed, healthy, kills, partners, perSecond, rounds }) {
    const postgresUrl = yield* server
    const writers = yield* measureWriters(yield* freshDatabase(postgresUrl), partners, rounds)
    const names = [...Object.keys(faults), ...Array.from({ length: healthy }, () => "healthy")]
    const endpoints = yield* Effect.forEach(names, startEndpoint)
    const url = yield* freshDatabase(postgresUrl)
    const sql = yield* connect(url)
    const lastro = yield* startCrashableServer({
      ...onPostgres(url),
      PORT: String(yield* freePort),
      LASTRO_WEBHOOK_ALLOW: endpoints.map(({ url }) => new URL(url).host).join()
    })
    const token = tokenOf(yield* signIn(lastro))
    const call = (path: string, json?: object, method?: "PATCH") =>
      patiently(ask(lastro, `/api/v1/${path}`, {
        token,
        ...json === undefined ? {} : { json },
        ...method === undefined ? {} : { method }
      }))
    const webhooks = yield* Effect.forEach(endpoints, ({ url }) =>
      Effect.map(
        call("webhooks", { url: `${url}/hooks`, types: ["user.updated"] }),
        (reply) => String(at(reply, "webhook_id"))
      ))
    const user = String(at(yield* call("users"), "content", 0, "user_id"))

    let changes = 0
    /** Changes the name of a user `count` times. Each change causes an event. */
    const change = (count: number) =>
      paced(count, 1_000 / perSecond, () =>
        Effect.gen(function*() {
          yield* lastro.isUp
          const fields = { name: `Ana Souza ${"I".repeat(1 + changes++ % 9)}` }
          // A request fails or gets no answer if the server is killed.
          const reply = yield* Effect.exit(call(`users/${user}`, fields, "PATCH"))
          if (Exit.isSuccess(reply) && reply.value.status >= 400 && reply.value.status < 500) {
            return yield* Effect.die(new Error(reply.value.text))
          }
        }))
    const stored = Effect.map(
      sql<{ readonly id: string }>`select id from event where type = 'user.updated'`,
      (rows) => rows.map(({ id }) => id)
    )
    /** Waits until these endpoints have received every event. Returns the number of events. */
    const complete = Effect.fnUntraced(function*(awaited: typeof endpoints) {
      const ids = yield* stored
      while (awaited.some(({ waits }) => ids.some((id) => !waits.has(id)))) yield* Effect.sleep("1 second")
      if (endpoints.some(({ counts }) => counts().mistaken > 0)) {
        return yield* Effect.die(new Error("An event has the id of another one"))
      }
      return ids.length
    })

    const postmaster = yield* postmasterOf(sql)
    const memory: Array<number> = []
    const sampling = yield* Effect.forkChild(Effect.forever(Effect.delay(
      Effect.sync(() => memory.push(residentMemory(lastro.current().pid))),
      "1 second"
    )))
    const costOf = meterCost([lastro.current().pid], postmaster)
    yield* change(events)
    const good = endpoints.filter(({ fault }) => fault === "healthy")
    const calm = yield* complete(good)
    const cost = costOf(calm * healthy)
    yield* Fiber.interrupt(sampling)
    const waits = percentilesOf(good.flatMap((endpoint) => [...endpoint.waits.values()]))
    const quarter = Math.ceil(memory.length / 4)
    const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))]

    const writing = yield* Effect.forkChild(change(kills * perSecond * 4))
    for (let kill = 0; kill < kills; kill++) yield* Effect.delay(lastro.crash, "2 seconds")
    yield* Fiber.join(writing)
    const all = yield* complete(good)

    // The last attempt of a delivery would be seven days after the first one. Here, the next attempt is the last one.
    const faulty = webhooks.slice(0, Object.keys(faults).length)
    yield* sql`
      update webhook_delivery set attempts = 20, next_at = now() where status = 'PENDING' and ${
      sql.in("webhook_id", faulty)
    }`
    yield* sql`update webhook set next_at = now() where ${sql.in("id", faulty)}`
    const paused = sql<{ readonly count: number }>`
      select count(*)::int as count from webhook where status = 'PAUSED' and ${sql.in("id", faulty)}`
    while (((yield* paused)[0]?.count ?? 0) < faulty.length) yield* Effect.sleep("1 second")
    for (const endpoint of endpoints) endpoint.heal()
    yield* Effect.forEach(faulty, (id) => call(`webhooks/${id}`, { status: "ACTIVE" }, "PATCH"))
    yield* complete(endpoints)

    yield* sql`
      insert into event (
        id, root_id, type, occurred_at, partner_id, above_ids, subject_kind, subject_id, subject_version, data,
        request_id, actor_kind, actor_id
      )
      select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, root_id, 'partner.updated', occurred_at, partner_id, above_ids, subject_kind, subject_id,
        subject_version, data, request_id, actor_kind, actor_id
      from (select * from event where type = 'user.updated' limit 1) one cross join generate_series(1, ${feed}) n`
    yield* sql`analyze event`
    const start = performance.now()
    let [read, last] = [0, 0]
    for (let next = 0;;) {
      const part = yield* call(`events?types=partner.updated&limit=1000&after=${next}`)
      const data = at(part, "data") as ReadonlyArray<{ readonly sequence: number }>
      for (const { sequence } of data) {
        if (sequence <= last) return yield* Effect.die(new Error("The feed repeats an event"))
        last = sequence
      }
      read += data.length
      const following = Number(at(part, "next"))
      if (following === next) break
      next = following
    }
    const seconds = (performance.now() - start) / 1_000
    const [{ count: created = 0 } = {}] = yield* sql<{ readonly count: number }>`
      select count(*)::int as count from event where type = 'partner.updated'`
    if (read !== created) return yield* Effect.die(new Error(`The feed has ${read} of ${created} events`))

    const results = {
      writers,
      calm,
      all,
      waits,
      cost,
      memory: { early, late },
      endpoints: endpoints.map(({ counts, fault, waits }) => ({ fault, events: waits.size, ...counts() })),
      feed: { events: read, perSecond: read / seconds }
    }
    return {
      lines: [
        table(
          ["endpoint", "events", "deliveries", "repeated"],
          results.endpoints.map(({ deliveries, events, fault, repeated }) =>
            [fault, events, deliveries, repeated].map(String)
          )
        ),
        `${all} events, ${calm} of them without a kill: p50 ${shown(waits.p50)} ms, p99 ${
          shown(waits.p99)
        } ms, slowest ` +
        `${shown(waits.slowest)} ms to a healthy endpoint; processor ${shown(cost.node, 2)} ms of node and ` +
        `${shown(cost.postgres, 2)} ms of PostgreSQL for each delivery; resident memory ${shown(early)} MiB, later ` +
        `${shown(late)} MiB.`,
        `${kills} kills lost no event. Paused endpoints went on to the last event.`,
        `An insert costs ${shown(writers.events.total, 2)} ms of node and PostgreSQL with its event, and ${
          shown(writers.none.total, 2)
        } ms without. ${shown(100 * writers.events.locks, 1)} % of the transactions wait for a lock.`,
        `The feed: ${read} events, ${shown(read / seconds)} per second.`
      ],
      results
    }
  })
)
