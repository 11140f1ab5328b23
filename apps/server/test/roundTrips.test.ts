import { assert, layer } from "@effect/vitest"
import { mountNodeApi } from "@lastro/adapters-http/node"
import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPostgres } from "@lastro/adapters-sql"
import { groupBySlug } from "@lastro/domain/access"
import { layerSandboxLender, layerStatusWatch } from "@lastro/domain/adapters"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { runQuote } from "@lastro/domain/jobs"
import { latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { openLastro } from "@lastro/domain/promises"
import { type ApplicationId, completeCpf, type PartnerId } from "@lastro/domain/values"
import { Context, Effect, Layer, References, Result } from "effect"
import { layerUnlisted } from "../../../packages/adapters-sql/src/jobs/WorkRunner.ts"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { type CountingProxy, countingProxy } from "../../../test/countingProxy.ts"

const issuer = "https://lastro.test"

const document = (number: number): string => completeCpf(String(number).padStart(9, "0"))

const partner = (number: number) => ({
  partner: {
    type: "pf",
    name: "Loja Avenida",
    email: "loja@example.com",
    phone: "11987654321",
    document_number: document(number)
  }
})

const user = (number: number) => ({
  name: "Ana Souza",
  email: `ana${number}@example.com`,
  phone: "11987654321",
  cpf: document(number),
  group_id: groupBySlug("manager").group_id
})

const application = (number: number) => ({
  external_id: `loan-${number}`,
  customer: { cpf: document(number), birth_date: "1990-05-17", name: "Ana Souza" }
})

const textAt = (value: unknown, ...path: ReadonlyArray<string>): string =>
  String(path.reduce<unknown>((at, name) => typeof at === "object" && at !== null ? Reflect.get(at, name) : "", value))

/** Serves the API over a database behind a counter of round trips. No background work uses the counted connections. */
const openCounted = async (proxy: CountingProxy) => {
  const lastro = await openLastro(
    Layer.merge(layerUnlisted, layerTokens({ issuer })).pipe(
      Layer.provideMerge(layerStatusWatch({ tick: "1 hour" })),
      Layer.provideMerge(layerPostgres({ url: proxy.url, schema: "lastro", interval: "1 hour" })),
      Layer.provideMerge(Layer.merge(layerSandboxLender(), layerSecurity({ memory: 64, passes: 1, parallelism: 1 }))),
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
    )
  )
  const { client_id, client_secret } = Result.getOrThrow(await lastro.bootstrap()) ?? assert.fail()
  const api = await mountNodeApi(lastro.layer, { issuer, callerLimit: "off" })
  let seen = 0
  /** Returns the number of round trips since the last call. */
  const takeTrips = () => {
    const { trips } = proxy.count(() => true)
    const taken = trips - seen
    seen = trips
    return taken
  }
  const fetch = async (path: string, init: RequestInit) => {
    takeTrips()
    const response = await api.fetch(new Request(`${issuer}${path}`, init))
    const text = await response.text()
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) as object, trips: takeTrips() }
  }
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret })
  const issued = await fetch("/api/v1/oauth/token", { method: "POST", body: form })
  const authorization = `Bearer ${textAt(issued.body, "access_token")}`
  let keys = 0
  const send = (method: string, path: string, body?: object) =>
    fetch(`/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json", "idempotency-key": `key-${++keys}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  return {
    send,
    takeTrips,
    lastro,
    [Symbol.asyncDispose]: async () => {
      await api.close()
      await lastro.close()
    }
  }
}

type Counted = Awaited<ReturnType<typeof openCounted>>

/** The API that the tests share. */
class Api extends Context.Service<Api, Counted>()("@lastro/server/test/roundTrips.test/Api") {}

const layerApi = Layer.effect(
  Api,
  Effect.flatMap(Effect.flatMap(migratedDatabase, countingProxy), (proxy) =>
    Effect.acquireRelease(
      Effect.promise(async () => Api.of(await openCounted(proxy))),
      (counted) => Effect.promise(() => counted[Symbol.asyncDispose]())
    ))
)

/** Returns the status and the round trips of a request that is the second of its kind: the first one also prepares statements. */
const second = async (request: (number: number) => ReturnType<Counted["send"]>) => {
  await request(1)
  return request(2)
}

layer(layerApi, { timeout: 60_000, excludeTestServices: true })("round trips to PostgreSQL", (it) => {
  it.effect(
    "a read takes one, whatever it reads",
    () =>
      Effect.flatMap(Api, (counted) =>
        Effect.promise(async () => {
          const { send } = counted
          const made = textAt((await send("POST", "/partners", partner(1))).body, "data", "partner_id")
          const opened = textAt((await send("POST", "/fgts/applications", application(2))).body, "application_id")
          const paths = [
            `/partners/${made}`,
            "/partners",
            "/partners?name=avenida&sort=name",
            "/users",
            "/users?full_name=a",
            "/proposals",
            "/groups",
            `/fgts/applications/${opened}`,
            `/fgts/applications/${opened}/status`,
            "/fgts/applications?external_id=loan-2",
            "/fgts/applications",
            "/fgts/applications?status=QUOTING&sort=updated_at"
          ]
          const seen = []
          for (const path of paths) {
            // One request after another, because the counter counts all connections.
            // oxlint-disable-next-line no-await-in-loop
            let { status, trips } = await second(() => send("GET", path))
            // A statement of the background adds a round trip now and then, and no statement takes one away.
            // oxlint-disable-next-line no-await-in-loop
            for (let more = 0; more < 3 && trips > 1; more += 1) ({ status, trips } = await send("GET", path))
            seen.push({ path, status, trips })
          }
          assert.deepStrictEqual(seen, paths.map((path) => ({ path, status: 200, trips: 1 })))
        })),
    60_000
  )

  it.effect(
    "a write takes few, with its audit, its idempotency key and its commit",
    () =>
      Effect.flatMap(Api, (counted) =>
        Effect.promise(async () => {
          const { send } = counted
          const made = [
            textAt((await send("POST", "/partners", partner(101))).body, "data", "partner_id"),
            textAt((await send("POST", "/partners", partner(102))).body, "data", "partner_id")
          ]
          const patched = await second((n) => send("PATCH", `/partners/${made[0]}`, { partner: { name: `Loja ${n}` } }))
          const posted = await second((n) => send("POST", "/partners", partner(110 + n)))
          const deleted = await second((n) => send("DELETE", `/partners/${made[n - 1]}`))
          const invited = await second((n) => send("POST", "/users", user(120 + n)))
          const opened = await second((n) => send("POST", "/fgts/applications", application(130 + n)))
          const loans = [
            textAt((await send("POST", "/fgts/applications", application(141))).body, "application_id"),
            textAt((await send("POST", "/fgts/applications", application(142))).body, "application_id")
          ]
          const cancelled = await second((n) =>
            send("POST", `/fgts/applications/${loans[n - 1]}/cancel`, { reason: "OTHER" })
          )
          assert.deepStrictEqual(
            [patched, posted, deleted, invited, opened, cancelled].map(({ status, trips }) => [status, trips]),
            [[200, 3], [201, 4], [204, 4], [201, 5], [201, 3], [202, 7]]
          )
        })),
    60_000
  )

  it.effect(
    "the job of a quote takes at most five, one of them for the other contracts of the customer, besides the start and the end of the job",
    () =>
      Effect.flatMap(Api, (counted) =>
        Effect.promise(async () => {
          const { lastro, send, takeTrips } = counted
          const run = async (number: number) => {
            const { body } = await send("POST", "/fgts/applications", application(number))
            const found = await lastro.run(Effect.flatMap(ApplicationRepository, ({ find }) =>
              find(
                asOperator.scope(textAt(body, "partner_id") as PartnerId),
                textAt(body, "application_id") as ApplicationId
              )))
            const { quote_id } = latestQuote(Result.getOrThrow(judgeFound(Result.getOrThrow(found))).record)
            takeTrips()
            await lastro.run(runQuote(quote_id))
            return takeTrips()
          }
          await run(201)
          assert.strictEqual(await run(202), 5)
        })),
    60_000
  )
})
