import { assert, describe, it } from "@effect/vitest"
import { mountNodeApi } from "@lastro/adapters-http/node"
import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPgliteNode, layerPostgresNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro } from "@lastro/domain/promises"
import { completeCpf } from "@lastro/domain/values"
import { Effect, Layer, References, Result } from "effect"
import { createServer } from "node:http"
import { type AddressInfo } from "node:net"
import { migratedCache } from "../../../packages/adapters-sql/test/migratedCache.ts"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"

const issuer = "https://lastro.test/lending"

/** The whole stack over the ports of a database, as an embedding application composes it. */
const composedOver = <A extends ReturnType<typeof layerPgliteNode> | ReturnType<typeof layerPostgresNode>>(ports: A) =>
  layerTokens({ issuer }).pipe(
    Layer.provideMerge(ports),
    Layer.provideMerge(Layer.merge(layerSandboxLender(), layerSecurity())),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
  )

/** Calls the API so that it uses the database, durable jobs and the lender. */
const useApi = async (
  base: string,
  fetch: (request: Request) => Promise<Response>,
  credentials: Record<string, string>
) => {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new Request(`${base}${path}`, init))
    return { status: response.status, etag: response.headers.get("etag") ?? "", body: await response.json() as object }
  }
  const token = await ask("/api/v1/oauth/token", { method: "POST", body: new URLSearchParams(credentials) })
  const authorization = `Bearer ${String(Reflect.get(token.body, "access_token"))}`
  const opened = await ask("/api/v1/fgts/applications", {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({
      external_id: "loan-1",
      customer: { cpf: completeCpf("111222300"), birth_date: "1990-05-17", name: "Ana Souza" }
    })
  })
  assert.strictEqual(opened.status, 201)
  const status = `/api/v1/fgts/applications/${String(Reflect.get(opened.body, "application_id"))}/status`
  const seen = await ask(status, { headers: { authorization } })
  if (Reflect.get(seen.body, "status") !== "QUOTING") return Reflect.get(seen.body, "status")
  const next = await ask(`${status}?wait=30`, { headers: { authorization, "if-none-match": seen.etag } })
  return Reflect.get(next.body, "status")
}

describe("the API mounted in a service", () => {
  it("over an embedded database serves Fetch API and node requests, and shares its ports with the promise facade", async () => {
    const cacheFolder = await Effect.runPromise(migratedCache)
    await using lastro = await openLastro(composedOver(layerPgliteNode({ dataDir: "memory", cacheFolder })))
    const { client_id, client_secret } = Result.getOrThrow(await lastro.bootstrap()) ?? assert.fail()
    const credentials = { grant_type: "client_credentials", client_id, client_secret }
    await using api = await mountNodeApi(lastro.layer, { issuer })
    assert.strictEqual(await useApi("http://inside/lending", api.fetch, credentials), "QUOTED")
    const server = createServer(api.handle)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    assert.strictEqual(await useApi(`http://127.0.0.1:${port}/lending`, fetch, credentials), "QUOTED")
    assert.strictEqual((await fetch(`http://127.0.0.1:${port}/lending/health/ready`)).status, 200)
    const caller = Result.getOrThrow(await lastro.callerOfClient(client_id))
    const found = Result.getOrThrow(await lastro.searchApplications(caller, { external_id: "loan-1" }))
    assert.lengthOf(found.data, 2)
    server.close()
    server.closeAllConnections()
  })

  it.live("can be opened and closed by the mount alone", () =>
    Effect.flatMap(migratedDatabase, (url) =>
      Effect.promise(async () => {
        const api = await mountNodeApi(composedOver(layerPostgresNode({ url })), { issuer })
        assert.strictEqual((await api.fetch(new Request("http://inside/lending/health/ready"))).status, 200)
        await api.close()
        assert.strictEqual((await api.fetch(new Request("http://inside/lending/health/live"))).status, 503)
      })))
})
