import { type Caller, callerKey } from "@lastro/domain/access"
import {
  type AccessClaims,
  type PrincipalRepository,
  readAsLastSeen,
  resolveClaims,
  type ResolvedCaller,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/identity"
import { Effect } from "effect"
import { identifyCaller, type Slot } from "../admission/Slot.ts"
import { callerOfTenant } from "../admission/WaitingLine.ts"

const scheme = "bearer "

/**
 * Verifies the token of an `Authorization` header (RFC 6750 §2.1). Any scheme other than `Bearer` counts as a missing
 * token.
 */
export const verifyBearer = (
  authorization: string | undefined
): Effect.Effect<AccessClaims, Unauthenticated, TokenSigner> =>
  authorization === undefined || authorization.slice(0, scheme.length).toLowerCase() !== scheme
    ? Effect.fail(new Unauthenticated({ reason: "missing" }))
    : Effect.flatMap(TokenSigner, ({ verify }) => verify(authorization.slice(scheme.length).trim()))

/**
 * The last known caller of each verified token. While a verified token is cached, it always has the same claims object.
 */
const lastSeen = new WeakMap<AccessClaims, ResolvedCaller>()

/** Counts a request for its caller, and for the tenant of the caller if it is known. */
const identifyTenant = (slot: Slot | undefined, key: string, caller: Caller | undefined): Effect.Effect<void> =>
  identifyCaller(slot, caller === undefined ? key : callerOfTenant(caller.root_id, key))

/** Counts a request for the last known caller of a verified token. The tenant is known after the first request. */
export const identifyClaims = (slot: Slot | undefined, key: string, claims: AccessClaims): Effect.Effect<void> =>
  identifyTenant(slot, key, lastSeen.get(claims)?.caller)

/** Reads the caller of a verified token, and then runs an effect for that caller. */
export const runAsCaller = Effect.fnUntraced(function*<A, E, R>(
  claims: AccessClaims,
  slot: Slot | undefined,
  run: (caller: Caller) => Effect.Effect<A, E, R>
) {
  const resolved = yield* resolveClaims(claims)
  const isNew = !lastSeen.has(claims)
  lastSeen.set(claims, resolved)
  if (isNew) yield* identifyTenant(slot, callerKey(resolved.caller), resolved.caller)
  return yield* run(resolved.caller)
})

/**
 * Runs a read for the caller of a verified token, at the same time as the caller is read if the token was used before.
 * `finish` makes the result from that of the read. It runs after both, and for the current caller.
 */
export const readAsCaller = <A, E, R, B, F, S>(
  claims: AccessClaims,
  slot: Slot | undefined,
  read: (caller: Caller) => Effect.Effect<A, E, R>,
  finish: (caller: Caller, result: Effect.Effect<A, E, R>) => Effect.Effect<B, F, S>
): Effect.Effect<B, F | Unauthenticated, R | S | PrincipalRepository> => {
  const seen = lastSeen.get(claims)
  if (seen === undefined) return runAsCaller(claims, slot, (caller) => finish(caller, read(caller)))
  return Effect.flatMap(readAsLastSeen(claims, seen, read), ({ current, result }) => {
    lastSeen.set(claims, current)
    return finish(current.caller, result)
  })
}
