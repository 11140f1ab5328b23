import { type Caller } from "@lastro/domain/access"
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
    : TokenSigner.use(({ verify }) => verify(authorization.slice(scheme.length).trim()))

/**
 * The last known caller of each verified token. While a verified token is cached, it always has the same claims object.
 */
const lastSeen = new WeakMap<AccessClaims, ResolvedCaller>()

/** Returns the last known caller of a verified token. Undefined if no request with the token had a caller. */
export const lastCallerOf = (claims: AccessClaims): Caller | undefined => lastSeen.get(claims)?.caller

/**
 * Counts a request for its caller, and for the tenant of the caller if it is known. `key` is the `callerKey` of the
 * caller.
 */
const identify = (slot: Slot | undefined, key: string, caller: Caller | undefined): Effect.Effect<void> =>
  identifyCaller(slot, caller === undefined ? key : callerOfTenant(caller.root_id, key))

/** Reads the caller of a verified token, and then runs an effect for that caller. Counts the request for the caller. */
export const runAsCaller = Effect.fnUntraced(function*<A, E, R>(
  claims: AccessClaims,
  key: string,
  slot: Slot | undefined,
  run: (caller: Caller) => Effect.Effect<A, E, R>
) {
  const seen = lastSeen.get(claims)
  yield* identify(slot, key, seen?.caller)
  const resolved = yield* resolveClaims(claims, seen)
  if (resolved !== seen) {
    lastSeen.set(claims, resolved)
    // The tenant was unknown for a token that no earlier request had used, and the caller may have moved.
    yield* identify(slot, key, resolved.caller)
  }
  return yield* run(resolved.caller)
})

/**
 * Runs a read as {@link runAsCaller} does, at the same time as the caller is read if the token was used before.
 * `finish` makes the result from that of the read. It runs after both, and for the current caller.
 */
export const readAsCaller = <A, E, R, B, F, S>(
  claims: AccessClaims,
  key: string,
  slot: Slot | undefined,
  read: (caller: Caller) => Effect.Effect<A, E, R>,
  finish: (caller: Caller, result: Effect.Effect<A, E, R>) => Effect.Effect<B, F, S>
): Effect.Effect<B, F | Unauthenticated, R | S | PrincipalRepository> => {
  const seen = lastSeen.get(claims)
  if (seen === undefined) return runAsCaller(claims, key, slot, (caller) => finish(caller, read(caller)))
  return Effect.flatMapEager(
    identify(slot, key, seen.caller),
    () =>
      Effect.flatMap(readAsLastSeen(claims, seen, read), ({ current, result }) => {
        if (current !== seen) lastSeen.set(claims, current)
        return finish(current.caller, result)
      })
  )
}
