/* oxlint-disable eslint/no-await-in-loop -- a request of a history follows the one before */
import { mountNodeApi } from "@lastro/adapters-http/node"
import { layerTokens } from "@lastro/adapters-http/security"
import { layerPostgres } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { CommonPasswords, PasswordHasher } from "@lastro/domain/identity"
import { DurableWork, StatusWatch } from "@lastro/domain/origination"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { openCommissions, openLastro, orThrow } from "@lastro/domain/promises"
import { completeCpf } from "@lastro/domain/values"
import { layerSenderOfContext } from "@lastro/domain/webhook"
import { layerMemory } from "@lastro/testkit"
import { Clock, Context, Effect, Exit, Layer, Redacted, References, Scope } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { type Asked } from "./observe.ts"
import { parentsAtStart } from "./Secrets.ts"
import { type Side } from "./Side.ts"

const issuer = "http://lastro.test"

/** The credentials of an API client. */
interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/**
 * The ports that no database has. Ids and secrets are the same on both sides, because both issue the same number of tokens.
 * No worker runs, because it would stop at a clock that differs from that of the database.
 */
const otherPorts = Layer.effectContext(
  Effect.map(
    Layer.build(layerMemory),
    Context.pick(CommonPasswords, DurableWork, IdGenerator, PasswordHasher, SecretGenerator, StatusWatch)
  )
)

/** A clock that stands still until the test changes `time`. Sleeps are real. */
const layerClock = (time: { readonly now: number }) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (real): Clock.Clock =>
      Object.assign(Object.create(real) as Clock.Clock, {
        currentTimeMillisUnsafe: () => time.now,
        currentTimeMillis: Effect.sync(() => time.now)
      }))
  )

const partnerBody = (index: number, parent_uuid: string | undefined) => ({
  partner: {
    type: "pf",
    name: `Partner ${index}`,
    email: `partner${index}@example.com`,
    phone: "11987654321",
    document_number: completeCpf(String(111_222_300 + index)),
    parent_uuid
  }
})

/** Opens a tree on a new PostgreSQL database. Its contracts are those of a host. */
export const openPostgresSide = async (): Promise<Side> => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const time = { now: Date.parse("2026-01-10T12:00:00Z") }
  const layer = layerTokens({ issuer }).pipe(
    Layer.provideMerge(layerPostgres({ url: Redacted.make(url), maxConnections: 3 })),
    Layer.provideMerge(Layer.mergeAll(otherPorts, layerSandboxLender(), layerSenderOfContext)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error")),
    Layer.provideMerge(layerClock(time))
  )
  const lastro = await openLastro(layer)
  const commissions = await openCommissions(lastro.layer as never)
  const api = await mountNodeApi(lastro.layer, {
    issuer,
    callerLimit: "off",
    tokenLimit: "off",
    anonymousLimit: "off",
    concurrency: 1_000
  })
  const send = (path: string, init: RequestInit, as: string | undefined) => {
    const headers = new Headers(init.headers)
    if (as !== undefined) headers.set("authorization", as)
    return api.fetch(new Request(`${issuer}${path}`, { ...init, headers }), { remote_address: "127.0.0.1" })
  }
  const tokens = new Map<string, string>()
  /** Returns the authorization of a client. Requests another token when the time has changed. */
  const authorizationOf = async ({ client_id, client_secret }: Credentials): Promise<string> => {
    const key = `${client_id} ${time.now}`
    const known = tokens.get(key)
    if (known !== undefined) return known
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret })
    const answer = await send("/api/v1/oauth/token", { method: "POST", body }, undefined)
    const token = `Bearer ${(await answer.json() as { readonly access_token: string }).access_token}`
    tokens.set(key, token)
    return token
  }
  const askAs = async (credentials: Credentials, path: string, { json, ...request }: Asked) => {
    const body = json === undefined ? request.body : JSON.stringify(json)
    const headers = {
      ...json === undefined ? {} : { "content-type": "application/json" },
      "x-request-id": "f0000000-0000-4000-8000-000000000001",
      ...request.headers
    }
    const method = request.method ?? "GET"
    const init = { method, headers, ...body === undefined ? {} : { body } }
    return send(path, init, await authorizationOf(credentials))
  }
  const created = async <A>(credentials: Credentials, path: string, json: unknown): Promise<A> => {
    const answer = await askAs(credentials, `/api/v1${path}`, { method: "POST", json })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return await answer.json() as A
  }
  const root = await lastro.bootstrap().then(orThrow)
  if (root === null) throw new Error("The database has a root")
  const caller = await lastro.callerOfClient(root.client_id).then(orThrow)
  const partners = [caller.partner_id as string]
  const clients: Array<Credentials> = [root]
  for (const [index, parent] of parentsAtStart.entries()) {
    if (parent === null) continue
    const { data: { partner_id } } = await created<{ readonly data: { readonly partner_id: string } }>(
      root,
      "/partners",
      partnerBody(index, partners[parent])
    )
    partners.push(partner_id)
    const client = await created<{ readonly client_secret: string; readonly data: { readonly client_id: string } }>(
      root,
      "/clients",
      { name: `Client ${index}`, group_id: "admin", partner_id }
    )
    clients.push({ client_id: client.data.client_id, client_secret: client.client_secret })
  }
  let contracts = 0
  return {
    partners,
    ask: (partner) => (path, request = {}) => askAs(clients[partner] ?? root, path, request),
    accept: async (seller, size) => {
      const contract_id = `01900000-0000-7000-b000-${String(++contracts).padStart(12, "0")}`
      const net = 10_000 + size
      const amounts = {
        gross_amount: (net + 30_000) / 100,
        principal_amount: (net + 2_000) / 100,
        net_amount: net / 100
      }
      const body = { contract_id, partner_id: partners[seller], lender: "bank", table: "gold", ...amounts }
      await commissions.recordAcceptance(caller, body as never).then(orThrow)
      return contract_id
    },
    end: async (contract_id, status) => {
      const paid_at = new Date(time.now).toISOString()
      if (status === "PAID") await commissions.recordPayment(caller, { contract_id, paid_at } as never)
      else await commissions.recordReversal(caller, { contract_id } as never)
    },
    pass: async (days) => {
      time.now += days * 86_400_000
    },
    today: () => new Date(time.now - 3 * 3_600_000).toISOString().slice(0, 10),
    close: async () => {
      await api.close()
      await commissions.close()
      await lastro.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
