import { resolveCaller, Unauthenticated } from "@lastro/domain/token"
import { Effect } from "effect"

const scheme = "bearer "

/** Resolves the caller of an `Authorization` header (RFC 6750 §2.1). Any scheme other than `Bearer` counts as a missing token. */
export const authenticate = Effect.fnUntraced(function*(authorization: string | undefined) {
  if (authorization === undefined || authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
    return yield* new Unauthenticated({ reason: "missing" })
  }
  return yield* resolveCaller(authorization.slice(scheme.length).trim())
})
