import { type Caller } from "@lastro/domain/identity"
import {
  type AccessClaims,
  readAsLastSeen,
  resolveClaims,
  type ResolvedCaller,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/token"
import { Effect } from "effect"

const scheme = "bearer "

/** Verifies the token of an `Authorization` header (RFC 6750 §2.1). Any scheme other than `Bearer` counts as a missing token. */
export const verifyBearer = Effect.fnUntraced(function*(authorization: string | undefined) {
  if (authorization === undefined || authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
    return yield* new Unauthenticated({ reason: "missing" })
  }
  return yield* (yield* TokenSigner).verify(authorization.slice(scheme.length).trim())
})

/** The callers of verified tokens as last seen. A verified token has the same claims object as long as it is cached. */
const lastSeen = new WeakMap<AccessClaims, ResolvedCaller>()

/** Runs an effect for the caller of a verified token. */
export const runAsCaller = Effect.fnUntraced(function*<A, E, R>(
  claims: AccessClaims,
  run: (caller: Caller) => Effect.Effect<A, E, R>
) {
  const resolved = yield* resolveClaims(claims)
  lastSeen.set(claims, resolved)
  return yield* run(resolved.caller)
})

/** Runs a read for the caller of a verified token, at the same time as the caller is read if the token was used before. */
export const readAsCaller = Effect.fnUntraced(function*<A, E, R>(
  claims: AccessClaims,
  read: (caller: Caller) => Effect.Effect<A, E, R>
) {
  const seen = lastSeen.get(claims)
  if (seen === undefined) return yield* runAsCaller(claims, read)
  const { current, result } = yield* readAsLastSeen(claims, seen, read)
  lastSeen.set(claims, current)
  return yield* result
})
