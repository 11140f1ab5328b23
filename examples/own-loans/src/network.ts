import { layerSecurity } from "@lastro/adapters-http/security"
import { layerPglite } from "@lastro/adapters-sql"
import { type Administration, type Commissions, openAdministration, openCommissions } from "@lastro/domain/promises"
import { Layer } from "effect"

/** The two parts of Lastro that the company uses. */
export interface Network extends AsyncDisposable {
  readonly partners: Administration
  readonly commissions: Commissions
}

/** Opens both parts over one database. */
export const openNetwork = async (dataDir: string): Promise<Network> => {
  const partners = await openAdministration(Layer.merge(layerPglite({ dataDir }), layerSecurity()))
  const commissions = await openCommissions(partners.layer)
  return {
    partners,
    commissions,
    [Symbol.asyncDispose]: async () => {
      await commissions.close()
      await partners.close()
    }
  }
}
