import { layerTokens } from "@lastro/adapters-http"
import { layerSecurity } from "@lastro/adapters-http/node"
import { layerPostgresNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain"
import { openLastro } from "@lastro/domain/promises"
import { Layer } from "effect"

/** Where Lastro keeps its data. */
export interface Place {
  readonly url: string
  /** Tells this process from the others that share the database. */
  readonly node: string
}

/**
 * Lastro over PostgreSQL. Read from below: each layer is given what those below it provide. The schema is brought up to date when it
 * is opened.
 */
export const lastroOver = ({ node, url }: Place) =>
  openLastro(
    layerTokens({ issuer: "https://backoffice.example" }).pipe(
      Layer.provideMerge(layerPostgresNode({ url, node })),
      Layer.provideMerge(layerSandboxLender({ stepMs: 100 })),
      Layer.provideMerge(layerSecurity())
    )
  )
