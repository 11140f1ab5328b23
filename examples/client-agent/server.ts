import { mountNodeApi } from "@lastro/adapters-http/node"
import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPgliteNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro, orThrow } from "@lastro/domain/promises"
import { Layer, References } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"

/** Starts an API with the sandbox lender and a database in memory. Returns its URL and the first API client. */
export const startServer = async () => {
  const issuer = "http://lastro.test"
  const lastro = await openLastro(
    layerTokens({ issuer }).pipe(
      Layer.provideMerge(layerPgliteNode({ dataDir: "memory" })),
      Layer.provideMerge(Layer.merge(layerSandboxLender({ stepMs: 50 }), layerSecurity())),
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
    )
  )
  const installed = orThrow(await lastro.bootstrap())
  if (installed === null) throw new Error("The database is not empty.")
  const api = await mountNodeApi(lastro.layer, { issuer })
  const server = createServer(api.handle)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    clientId: installed.client_id,
    clientSecret: installed.client_secret,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await api.close()
      await lastro.close()
    }
  }
}
