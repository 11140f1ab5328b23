import { Effect, Option, Result } from "effect"
import { idOf } from "../id/Uuid.ts"
import { judgeClientId } from "../identity/judgeClientId.ts"
import { PrincipalRepository } from "../identity/Principal.ts"
import { judgePrincipal } from "./AccessClaims.ts"

/**
 * Returns the caller of a user (by id) or an API client (by `client_id`) that the host has authenticated. Fails with Unauthenticated if
 * the principal is unknown or inactive.
 */
export const authenticated = Effect.fnUntraced(function*(kind: "user" | "client", subject: string) {
  const named = kind === "user" ? idOf<string>(subject) : Result.getSuccess(judgeClientId(subject))
  const principals = yield* PrincipalRepository
  const principal = Option.isNone(named) ? Option.none() : yield* principals.find(kind, named.value)
  return yield* Effect.fromResult(judgePrincipal(principal))
})
