import { Effect } from "effect"
import { PrincipalRepository } from "../identity/Principal.ts"
import { judgeClaims, subjectOf } from "./AccessClaims.ts"
import { TokenSigner } from "./TokenSigner.ts"

/**
 * Reads a bearer token and judges it against the live records: the caller, or Unauthenticated. Every request passes here,
 * so it has no span of its own.
 */
export const resolveCaller = Effect.fnUntraced(function*(token: string) {
  const claims = yield* (yield* TokenSigner).verify(token)
  const { kind, subject } = subjectOf(claims)
  const principal = yield* (yield* PrincipalRepository).find(kind, subject)
  return yield* Effect.fromResult(judgeClaims(claims, principal))
})
