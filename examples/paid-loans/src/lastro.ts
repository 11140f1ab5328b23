import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPostgresNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro } from "@lastro/domain/promises"
import { Layer } from "effect"

/** Opens Lastro over PostgreSQL and migrates the schema. */
export const openPostgresLastro = (url: string) =>
  openLastro(
    layerTokens({ issuer: "https://shop.example" }).pipe(
      Layer.provideMerge(layerPostgresNode({ url })),
      Layer.provideMerge(layerSandboxLender({ stepMs: 50 })),
      Layer.provideMerge(layerSecurity())
    )
  )
