import { Effect, Option, Result } from "effect"
import { parseId } from "../id/Uuid.ts"
import { judgeClientId } from "../identity/ApiClient.ts"
import { PrincipalRepository } from "../identity/Principal.ts"
import { judgeClaims, judgePrincipal, judgeSubject } from "./AccessClaims.ts"
import { TokenSigner } from "./TokenSigner.ts"

/**
 * Returns the caller for a principal that the host application has authenticated: a user, by its id, or an API client, by its `client_id`.
 * Fails with Unauthenticated if the principal is unknown or inactive.
 */
export const callerOfPrincipal = Effect.fnUntraced(function*(kind: "user" | "client", subject: string) {
  const named = kind === "user" ? parseId<string>(subject) : Result.getSuccess(judgeClientId(subject))
  const principals = yield* PrincipalRepository
  const principal = Option.isNone(named) ? Option.none() : yield* principals.find(kind, named.value)
  return yield* Effect.fromResult(judgePrincipal(principal))
})

/**
 * Verifies a bearer token, checks it against the stored principal and returns the caller. Fails with Unauthenticated if the token is not
 * valid. This function creates no tracing span, because every request calls it.
 */
export const resolveCaller = Effect.fnUntraced(function*(token: string) {
  const claims = yield* (yield* TokenSigner).verify(token)
  const { kind, subject } = yield* Effect.fromResult(judgeSubject(claims))
  const principal = yield* (yield* PrincipalRepository).find(kind, subject)
  return yield* Effect.fromResult(judgeClaims(claims, principal))
})
