import { assert, describe, it } from "@effect/vitest"
import { layerTokens } from "@lastro/adapters-http"
import { layerSecurity, mountNodeApi } from "@lastro/adapters-http/node"
import { layerPostgres, layerStartOnly } from "@lastro/adapters-sql"
import { layerSandboxLender, layerStatusWatch } from "@lastro/domain/adapters"
import { completeCpf } from "@lastro/domain/documents"
import { groupBySlug } from "@lastro/domain/identity"
import { openLastro } from "@lastro/domain/promises"
import { Effect, Layer, References, Result } from "effect"
import { freshDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { TripCounter } from "./running/TripCounter.ts"

const issuer = "https://lastro.test"

const partner = (number: number) => ({
  partner: {
    type: "pf",
    name: "Loja Avenida",
    email: "loja@example.com",
    phone: "11987654321",
    document_number: completeCpf(String(number).padStart(9, "0"))
  }
})

describe("round trips to PostgreSQL", () => {
  it.live("of a request are few", () =>
    Effect.gen(function*() {
      const database = yield* freshDatabase
      yield* Effect.promise(async () => {
        await using trips = await TripCounter.start(database)
        await using lastro = await openLastro(
          Layer.merge(layerStartOnly, layerTokens({ issuer })).pipe(
            Layer.provideMerge(layerStatusWatch({ tick: "1 hour" })),
            Layer.provideMerge(layerPostgres({ url: trips.urlOf(database), foldEvery: "1 hour" })),
            Layer.provideMerge(Layer.merge(layerSandboxLender(), layerSecurity({ memory: 64, passes: 1, parallelism: 1 }))),
            Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
          )
        )
        const { client_id, client_secret } = Result.getOrThrow(await lastro.bootstrap()) ?? assert.fail()
        await using api = await mountNodeApi(lastro.layer, { issuer, callerLimit: "off" })
        const fetch = async (path: string, init: RequestInit) => {
          trips.take()
          const response = await api.fetch(new Request(`${issuer}${path}`, init))
          const body = await response.text()
          return { status: response.status, body: body === "" ? {} : JSON.parse(body) as object, trips: trips.take() }
        }
        const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret })
        const { body } = await fetch("/api/v1/oauth/token", { method: "POST", body: form })
        const authorization = `Bearer ${String(Reflect.get(body, "access_token"))}`
        const send = (method: string, path: string, sent?: object, headers: object = {}) =>
          fetch(`/api/v1${path}`, {
            method,
            headers: { authorization, "content-type": "application/json", ...headers },
            ...(sent === undefined ? {} : { body: JSON.stringify(sent) })
          })
        /** Sends a request twice, because the first one also opens connections and reads keys. Returns the second. */
        const show = async (name: string, make: (n: number) => ReturnType<typeof send>) => {
          await make(1)
          if (process.env["TRIPS"]) console.log(`--- ${name}`)
          const reply = await make(2)
          console.log(name, reply.status, reply.trips)
          return reply
        }
        const made = await show("POST partner", (n) => send("POST", "/partners", partner(n)))
        await show("POST partner with key", (n) => send("POST", "/partners", partner(n + 10), { "idempotency-key": `k${n}` }))
        const id = Reflect.get(made.body, "data")?.partner_id ?? Reflect.get(made.body, "partner_id")
        await show("GET partner", () => send("GET", `/partners/${id}`))
        await show("GET partners", () => send("GET", `/partners`))
        await show("GET partners name", () => send("GET", `/partners?name=a`))
        await show("GET users", () => send("GET", `/users`))
        await show("GET proposals", () => send("GET", `/proposals`))
        await show("GET groups", () => send("GET", `/groups`))
        await show("PATCH partner", (n) => send("PATCH", `/partners/${id}`, { partner: { name: `Loja ${n}` } }))
        const others = await Promise.all([21, 22].map((n) => send("POST", "/partners", partner(n))))
        const ids = others.map(({ body }) => Reflect.get(body, "data")?.partner_id ?? Reflect.get(body, "partner_id"))
        await show("DELETE partner", (n) => send("DELETE", `/partners/${ids[n - 1]}`))
        await show("POST user", (n) =>
          send("POST", "/users", {
            name: "Ana Souza",
            email: `ana${n}@example.com`,
            phone: "11987654321",
            cpf: completeCpf(String(500 + n).padStart(9, "0")),
            group_id: groupBySlug("manager").group_id,
            partner_id: id
          }, { "idempotency-key": `user-${n}` }))
        const opened = await show("POST application", (n) =>
          send("POST", "/fgts/applications", {
            external_id: `loan-${n}`,
            customer: { cpf: completeCpf(String(600 + n).padStart(9, "0")), birth_date: "1990-05-17", name: "Ana Souza" }
          }, { "idempotency-key": `app-${n}` }))
        const application = Reflect.get(opened.body, "application_id")
        await show("GET application", () => send("GET", `/fgts/applications/${application}`))
        await show("GET status", () => send("GET", `/fgts/applications/${application}/status`))
      })
    }), 60_000)
})
