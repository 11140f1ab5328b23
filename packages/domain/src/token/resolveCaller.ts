import { Effect } from "effect"
import { PrincipalRepository } from "../identity/Principal.ts"
import { judgeClaims, subjectOf } from "./AccessClaims.ts"
import { TokenSigner } from "./TokenSigner.ts"

/**
 * Verifies a bearer token against the stored principal and returns the caller, or fails with Unauthenticated. It has no span, because
 * every request calls it.
 */
export const resolveCaller = Effect.fnUntraced(function*(token: string) {
  const claims = yield* (yield* TokenSigner).verify(token)
  const { kind, subject } = subjectOf(claims)
  const principal = yield* (yield* PrincipalRepository).find(kind, subject)
  return yield* Effect.fromResult(judgeClaims(claims, principal))
})
