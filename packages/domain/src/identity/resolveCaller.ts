import { Effect } from "effect"
import { judgeClaims, subjectOf } from "./AccessClaims.ts"
import { PrincipalRepository } from "./Principal.ts"
import { TokenSigner } from "./TokenSigner.ts"

/** Reads a bearer token and judges it against the live records: the caller, or Unauthenticated. */
export const resolveCaller = Effect.fn("resolveCaller")(function*(token: string) {
  const claims = yield* (yield* TokenSigner).verify(token)
  const { kind, subject } = subjectOf(claims)
  const principal = yield* (yield* PrincipalRepository).find(kind, subject)
  return yield* Effect.fromResult(judgeClaims(claims, principal))
})
