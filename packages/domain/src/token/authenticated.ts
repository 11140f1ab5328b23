import { Effect, Option, Result } from "effect"
import { idOf } from "../id/Uuid.ts"
import { judgeClientId } from "../identity/judgeClientId.ts"
import { PrincipalRepository } from "../identity/Principal.ts"
import { judgePrincipal } from "./AccessClaims.ts"

/**
 * The caller that a user or an API client is, which was authenticated by other means than a token of ours; Unauthenticated where it
 * is none that may ask now. A user is named by its id, a client by its `client_id`.
 */
export const authenticated = Effect.fnUntraced(function*(kind: "user" | "client", subject: string) {
  const named = kind === "user" ? idOf<string>(subject) : Result.getSuccess(judgeClientId(subject))
  const principals = yield* PrincipalRepository
  const principal = Option.isNone(named) ? Option.none() : yield* principals.find(kind, named.value)
  return yield* Effect.fromResult(judgePrincipal(principal))
})
