import { basePathOf } from "../options/basePathOf.ts"
import { type Surroundings } from "./exchanged.ts"

/** What a server that is reached below this URL knows about its surroundings. */
export const surroundingsOf = (
  { issuer, trustedProxies = [] }: { readonly issuer: string } & Partial<Pick<Surroundings, "trustedProxies">>
): Surroundings => ({ basePath: basePathOf(issuer), trustedProxies })
