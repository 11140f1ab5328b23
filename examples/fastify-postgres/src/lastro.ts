import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPostgresNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro } from "@lastro/domain/promises"
import { Layer } from "effect"

export interface DatabaseSettings {
  readonly url: string
  /** The name of this process, unique among those that share the database. */
  readonly node: string
}

/**
 * Opens Lastro over PostgreSQL and migrates the schema. Read the layers from bottom to top: each receives the services
 * of the layers below it.
 */
export const openPostgresLastro = ({ node, url }: DatabaseSettings) =>
  openLastro(
    layerTokens({ issuer: "https://backoffice.example" }).pipe(
      Layer.provideMerge(layerPostgresNode({ url, node })),
      Layer.provideMerge(layerSandboxLender({ stepMs: 100 })),
      Layer.provideMerge(layerSecurity())
    )
  )
