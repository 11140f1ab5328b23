import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPostgresNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { type Lastro, openLastro } from "@lastro/domain/promises"
import { Layer } from "effect"

/** Opens the installation of a tenant, in the schema with its name, and migrates the schema. */
const openTenant = (url: string, name: string) =>
  openLastro(
    layerTokens({ issuer: `https://${name}.example` }).pipe(
      // The pool and the job worker of each tenant have their own connections.
      Layer.provideMerge(layerPostgresNode({ url, schema: name, maxConnections: 4 })),
      Layer.provideMerge(layerSandboxLender({ stepMs: 100 })),
      Layer.provideMerge(layerSecurity())
    )
  )

/** The installations of several tenants in one database. */
export interface Tenants extends AsyncDisposable {
  /** Returns the installation of a tenant. */
  readonly of: (name: string) => Lastro
}

/** Opens one installation per tenant. They share only the database. */
export const openTenants = async (url: string, names: ReadonlyArray<string>): Promise<Tenants> => {
  const tenants = new Map<string, Lastro>()
  const close = async () => {
    await Promise.all(Array.from(tenants.values(), (lastro) => lastro.close()))
  }
  // Wait for all starts, so that a failed one leaves no other installation open.
  const starts = await Promise.allSettled(names.map(async (name) => tenants.set(name, await openTenant(url, name))))
  const failed = starts.find((start) => start.status === "rejected")
  if (failed !== undefined) {
    await close()
    throw failed.reason
  }
  return {
    of: (name) => {
      const lastro = tenants.get(name)
      if (lastro === undefined) throw new Error(`There is no tenant ${name}.`)
      return lastro
    },
    [Symbol.asyncDispose]: close
  }
}
