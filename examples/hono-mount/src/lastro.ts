import { mountNodeApi } from "@lastro/adapters-http/node"
import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPgliteNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro } from "@lastro/domain/promises"
import { Layer, References } from "effect"

/** Opens the API at the path of `issuer`, over an in-memory database, and returns the credentials of its first client. */
export const openLending = async (issuer: string) => {
  const lastro = await openLastro(
    layerTokens({ issuer }).pipe(
      Layer.provideMerge(layerPgliteNode({ dataDir: "memory" })),
      Layer.provideMerge(Layer.merge(layerSandboxLender(), layerSecurity())),
      // Each request logs one line at "Info".
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Warn"))
    )
  )
  const installed = await lastro.bootstrap()
  if (installed._tag === "Failure") throw installed.failure
  const api = await mountNodeApi(lastro.layer, { issuer })
  return {
    api,
    credentials: installed.success,
    close: async () => {
      await api.close()
      await lastro.close()
    }
  }
}
