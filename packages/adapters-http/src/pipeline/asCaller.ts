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
 * Verifies the token of an `Authorization` header (RFC 6750 §2.1). A scheme other than `Bearer` counts as a missing
 * token.
 */
export const verifyBearer = (
  authorization: string | undefined
): Effect.Effect<AccessClaims, Unauthenticated, TokenSigner> =>
  authorization === undefined || authorization.slice(0, scheme.length).toLowerCase() !== scheme
    ? Effect.fail(new Unauthenticated({ reason: "missing" }))
    : TokenSigner.use(({ verify }) => verify(authorization.slice(scheme.length).trim()))

/** The last known caller of each verified token. The key is its claims object, which is the same while it is cached. */
const lastSeen = new WeakMap<AccessClaims, ResolvedCaller>()

/** Returns the last known caller of a verified token. Undefined if the caller has not been read yet. */
export const lastCallerOf = (claims: AccessClaims): Caller | undefined => lastSeen.get(claims)?.caller

/** Assigns a request to its caller, and to the caller's tenant if it is known. `key` is the caller's `callerKey`. */
const identify = (slot: Slot | undefined, key: string, caller: Caller | undefined): Effect.Effect<void> =>
  identifyCaller(slot, caller === undefined ? key : callerOfTenant(caller.root_id, key))

/** Reads the caller of a verified token, assigns the request to the caller, and then runs an effect for the caller. */
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
    // At the first use of a token, the tenant was unknown. Later, the caller may have moved to another tenant.
    yield* identify(slot, key, resolved.caller)
  }
  return yield* run(resolved.caller)
})

/**
 * Runs a read like {@link runAsCaller}. If the token was used before, `read` runs for its last known caller while the
 * current caller is read. After both, `finish` computes the result for the current caller.
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
