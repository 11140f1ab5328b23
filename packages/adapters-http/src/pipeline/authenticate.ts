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

/**
 * Verifies the token of an `Authorization` header (RFC 6750 §2.1). A header with a scheme other than `Bearer` counts as
 * no token.
 */
export const verifyBearer = Effect.fnUntraced(function*(authorization: string | undefined) {
  if (authorization === undefined || authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
    return yield* new Unauthenticated({ reason: "missing" })
  }
  return yield* (yield* TokenSigner).verify(authorization.slice(scheme.length).trim())
})

/**
 * The last known caller of each verified token. While a verified token is cached, it always has the same claims object.
 */
const lastSeen = new WeakMap<AccessClaims, ResolvedCaller>()

/** Reads the caller of a verified token, and then runs an effect for that caller. */
export const runAsCaller = Effect.fnUntraced(function*<A, E, R>(
  claims: AccessClaims,
  run: (caller: Caller) => Effect.Effect<A, E, R>
) {
  const resolved = yield* resolveClaims(claims)
  lastSeen.set(claims, resolved)
  return yield* run(resolved.caller)
})

/**
 * Runs a read for the caller of a verified token. If the token was used before, reads the caller and the requested data
 * at the same time.
 */
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
