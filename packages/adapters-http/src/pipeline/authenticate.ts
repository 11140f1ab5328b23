import { resolveCaller, Unauthenticated } from "@lastro/domain"
import { Effect } from "effect"

const scheme = "bearer "

/** Who a request with this `Authorization` header comes from (RFC 6750 §2.1). Any other scheme counts as none. */
export const authenticate = Effect.fnUntraced(function*(authorization: string | undefined) {
  if (authorization === undefined || authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
    return yield* new Unauthenticated({ reason: "missing" })
  }
  return yield* resolveCaller(authorization.slice(scheme.length).trim())
})
